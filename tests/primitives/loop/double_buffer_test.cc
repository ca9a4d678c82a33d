// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;

constexpr const char* kBufferedSpec = "gmm:m=4,n=32,k=24";

// Work-groups of 8 work-items; five rounds of the reduction outside, so that they end on both
// copies in turn.
std::string doubled(const std::string& scope, int rounds, int copies = 2) {
  const std::string factor = std::to_string(24 / rounds);
  const std::string binds =
      scope == "local" ? " ; bind(m, group.0) ; bind(n.0, thread.0)" : " ; parallel(m)";
  return "loops: split(loop=k, factor=" + factor +
         ") ; split(loop=n, factor=4) ; reorder(m, n.0, b, k.0, k.1, n.1)" + binds +
         " ; vectorize(n.1) ; cache_write(tensor=Y, at=b) ; cache_read(tensor=W, at=k.0, scope=" +
         scope + ") ; double_buffer(tensor=W.cache" +
         (copies == 2 ? "" : ", copies=" + std::to_string(copies)) + ")\n";
}

TEST(LoopDoubleBuffer, FillsTheNextCopyFirstAsTheGoldenText) {
  const auto program = lowered(kBufferedSpec, doubled("local", 4), opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/double_buffer");
}

TEST(LoopDoubleBuffer, ThreeCopiesAreFilledAsynchronouslyAsTheGoldenText) {
  const auto program = lowered(kBufferedSpec, doubled("local", 4, 3), opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/double_buffer_of_three");
}

// No instruction of this nest runs on, so that barriers wait for nothing else than stores.
TEST(LoopDoubleBuffer, CopiesBehindAreNotFilledAhead) {
  std::string trace = doubled("local", 6, 4);
  trace.replace(trace.find("copies=4"), 8, "copies=4, behind=1");
  const auto program = lowered(kBufferedSpec, trace, opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/double_buffer_behind");
  EXPECT_TRUE(computes(operator_of(kBufferedSpec), *program)) << print(*program);
}

void expect_right(const char* spec, const std::string& trace, const Target& target) {
  const auto program = lowered(spec, trace, target);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(spec), *program)) << print(*program);
  const auto verdict = verify(*program);
  EXPECT_TRUE(verdict) << verdict.error().message << print(*program);
}

TEST(LoopDoubleBuffer, AnyNumberOfRoundsGivesTheSameResult) {
  for (const int rounds : {2, 3, 4, 12}) {
    expect_right(kBufferedSpec, doubled("private", rounds), cpu());
    for (int copies = 2; copies <= std::min(rounds, 8); ++copies)
      expect_right(kBufferedSpec, doubled("local", rounds, copies), opencl_with_images());
  }
}

// 96 elements for each of 8 work-items.
TEST(LoopDoubleBuffer, APartThatRegistersCannotHoldGoesStraightToItsCopy) {
  const char* spec = "gmm:m=4,n=32,k=48";
  const auto program = lowered(spec, doubled("local", 1), opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(print(*program).find("W.cache.next"), std::string::npos) << print(*program);
  expect_right(spec, doubled("local", 1), opencl_with_images());
}

TEST(LoopDoubleBuffer, OneRoundHasNoNext) {
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: cache_read(tensor=W, at=b, scope=private)"
                       " ; double_buffer(tensor=W.cache)\n"),
               "loop b of gmm has no rounds that follow each other, which 2 copies need");
}

TEST(LoopDoubleBuffer, FailsWithItsReason) {
  EXPECT_ERROR(lowered(kBufferedSpec, "loops: double_buffer(tensor=W.cache)\n"),
               "loops: double_buffer(tensor=W.cache): stage gmm copies no W.cache, expected a "
               "cache_read before");
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: cache_read(tensor=W, at=k, scope=private)"
                       " ; double_buffer(tensor=W.cache) ; double_buffer(tensor=W.cache)\n"),
               "it has 2 copies already");
  const auto copies = [](const std::string& scope, int rounds, int copies) {
    return lowered(kBufferedSpec, doubled(scope, rounds, copies),
                   scope == "local" ? opencl_with_images() : cpu());
  };
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: cache_read(tensor=W, at=k, scope=private)"
                       " ; double_buffer(tensor=W.cache, copies=3, behind=2)\n"),
               "2 of 3 copies behind, expected 0 to 1");
  EXPECT_ERROR(copies("local", 4, 9), "9 copies, expected 2 to 8");
  EXPECT_ERROR(copies("local", 4, 1), "1 copies, expected 2 to 8");
  EXPECT_ERROR(copies("private", 4, 3), "3 copies in scope private, expected 2; more are local");
  EXPECT_ERROR(copies("local", 3, 4),
               "loop k.0 of gmm has 3 rounds, expected 4 for as many copies");
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: split(loop=k, factor=4) ; split(loop=n, factor=4) ; reorder(m, n.0, "
                       "b, k.0, k.1, n.1) ; bind(m, group.0) ; bind(n.0, thread.0) ; "
                       "cache_write(tensor=Y, at=b) ; cache_read(tensor=X, at=k.0, scope=local) ; "
                       "cache_read(tensor=W, at=k.0, scope=local) ; double_buffer(tensor=X.cache) "
                       "; double_buffer(tensor=W.cache, copies=3)\n",
                       opencl_with_images()),
               "3 copies, expected 2 as X.cache has in loop k.0");
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: split(loop=k, factor=4) ; split(loop=n, factor=4) ; reorder(m, n.0, "
                       "b, k.0, k.1, n.1) ; bind(m, group.0) ; bind(n.0, thread.0) ; "
                       "cache_write(tensor=Y, at=b) ; cache_read(tensor=X, at=k.0, scope=local) ; "
                       "cache_read(tensor=W, at=k.0, scope=local) ; double_buffer(tensor=X.cache, "
                       "copies=4, behind=1) ; double_buffer(tensor=W.cache, copies=4)\n",
                       opencl_with_images()),
               "0 copies behind, expected 1 as X.cache has in loop k.0");
}

}  // namespace
}  // namespace dovetail
