// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace dovetail::testing {
namespace {

TEST(Golden, AcceptsTheTextOfTheFile) {
  EXPECT_GOLDEN("for k in 0..16\n  for h in 0..56\n", "support/nest");
}

TEST(Golden, RejectsAnotherTextAndShowsTheLine) {
  if (std::getenv("DOVETAIL_UPDATE_GOLDEN") != nullptr) GTEST_SKIP() << "would rewrite the file";
  const auto verdict = matches_golden("for k in 0..16\n  for h in 0..57\n", "support/nest");
  ASSERT_FALSE(verdict);
  const std::string message = verdict.message();
  EXPECT_NE(message.find("-   for h in 0..56\n+   for h in 0..57\n"), std::string::npos) << message;
}

TEST(Golden, RejectsWhenThereIsNoFile) {
  if (std::getenv("DOVETAIL_UPDATE_GOLDEN") != nullptr) GTEST_SKIP() << "would write the file";
  const auto verdict = matches_golden("text", "support/no_such_file");
  ASSERT_FALSE(verdict);
  EXPECT_NE(std::string(verdict.message()).find("--update-golden"), std::string::npos);
}

TEST(LineDiff, ShowsInsertedAndRemovedLinesWithContext) {
  EXPECT_EQ(line_diff("a\nb\nc\nd\ne\n", "a\nb\nc\nx\nd\ne\n"),
            "at line 4:\n  b\n  c\n+ x\n  d\n  e\n");
  EXPECT_EQ(line_diff("a\nb\n", "a\n"), "at line 2:\n  a\n- b\n");
}

TEST(LineDiff, SaysWhenOnlyTheLastNewlineDiffers) {
  EXPECT_NE(line_diff("a\n", "a").find("only the newline"), std::string::npos);
}

}  // namespace
}  // namespace dovetail::testing
