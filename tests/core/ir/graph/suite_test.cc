// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/suite.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

Suite bundled(const std::string& name) {
  auto suite = read_suite((testing::source_dir() / "scripts/suites" / name).string());
  EXPECT_TRUE(suite) << suite.error().message;
  return suite ? *suite : Suite{};
}

TEST(Suite, SkipsCommentsAndBlanks) {
  const auto suite = parse_suite(
      "# a comment\n\n  a = gmm:m=1,n=2,k=3  # tail\r\n\tb.2-x=c1d:ci=1,co=1,w=9,k=3", "f");
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(print(*suite), "a = gmm:m=1,n=2,k=3\nb.2-x = c1d:ci=1,co=1,w=9,k=3\n");
  EXPECT_EQ(*parse_suite(print(*suite), "f"), *suite);
}

TEST(Suite, MayBeginWithAByteOrderMark) {
  const auto suite = parse_suite(
      "\xef\xbb\xbf"
      "a = gmm:m=1,n=2,k=3\r\n",
      "f");
  ASSERT_TRUE(suite) << suite.error().message;
  EXPECT_EQ(print(*suite), "a = gmm:m=1,n=2,k=3\n");
}

TEST(Suite, NamesFileAndLineOfAnError) {
  EXPECT_ERROR(parse_suite("a = gmm:m=1,n=1,k=1\nb = gmm:m=0,n=1,k=1\n", "x.txt"),
               "x.txt:2: spec \"gmm:m=0,n=1,k=1\": key m has \"0\"");
  EXPECT_ERROR(parse_suite("\n\ngmm:m=1,n=1,k=1\n", "x.txt"), "x.txt:3: expected name = spec");
  EXPECT_ERROR(parse_suite("conv\n", "x.txt"), "x.txt:1: expected name = spec");
  EXPECT_ERROR(parse_suite(" = gmm:m=1,n=1,k=1\n", "x.txt"), "x.txt:1: expected name = spec");
  EXPECT_ERROR(parse_suite("a b = gmm:m=1,n=1,k=1\n", "x.txt"), "x.txt:1: expected name = spec");
  EXPECT_ERROR(parse_suite("a = gmm:m=1,n=1,k=1\n#\na = gmm:m=2,n=1,k=1\n", "x.txt"),
               "x.txt:3: the name a is taken by line 1");
  EXPECT_ERROR(parse_suite("# nothing\n", "x.txt"), "x.txt: found no operator");
  EXPECT_ERROR(parse_suite("", "x.txt"), "x.txt: found no operator");
}

TEST(Suite, RefusesFilesThatCannotBeRead) {
  EXPECT_ERROR(read_suite("/nonexistent/suite.txt"), "suite /nonexistent/suite.txt: no such file");
  EXPECT_ERROR(read_suite(testing::source_dir().string()), "found a folder");
}

TEST(Suite, ReadsTheBundledSuites) {
  EXPECT_EQ(bundled("nine_b1.txt").size(), 36u);
  EXPECT_EQ(bundled("nine_b16.txt").size(), 36u);
  EXPECT_EQ(bundled("resnet18.txt").size(), 12u);
  std::set<OperatorKind> kinds;
  for (const SuiteEntry& entry : bundled("smoke.txt")) kinds.insert(entry.spec.region.op->kind);
  EXPECT_EQ(kinds.size(), 9u) << "smoke.txt has one operator of each kind";
}

TEST(Suite, PrintsTheBundledSuitesCanonically) {
  EXPECT_GOLDEN(print(bundled("nine_b1.txt")), "core/ir/nine_b1");
  EXPECT_GOLDEN(print(bundled("resnet18.txt")), "core/ir/resnet18");
  for (const char* name : {"nine_b1.txt", "nine_b16.txt", "resnet18.txt", "smoke.txt"})
    EXPECT_EQ(*parse_suite(print(bundled(name)), name), bundled(name));
}

}  // namespace
}  // namespace dovetail
