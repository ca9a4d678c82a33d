// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <gtest/gtest.h>

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
std::string doubled(const std::string& scope, int rounds) {
  const std::string factor = std::to_string(24 / rounds);
  const std::string binds =
      scope == "local" ? " ; bind(m, group.0) ; bind(n.0, thread.0)" : " ; parallel(m)";
  return "loops: split(loop=k, factor=" + factor +
         ") ; split(loop=n, factor=4) ; reorder(m, n.0, b, k.0, k.1, n.1)" + binds +
         " ; vectorize(n.1) ; cache_write(tensor=Y, at=b) ; cache_read(tensor=W, at=k.0, scope=" +
         scope + ") ; double_buffer(tensor=W.cache)\n";
}

TEST(LoopDoubleBuffer, FillsTheNextCopyFirstAsTheGoldenText) {
  const auto program = lowered(kBufferedSpec, doubled("local", 4), opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/double_buffer");
}

TEST(LoopDoubleBuffer, AnyNumberOfRoundsGivesTheSameResult) {
  for (const int rounds : {2, 3, 4, 12}) {
    for (const char* scope : {"private", "local"}) {
      const Target target = std::string_view(scope) == "local" ? opencl_with_images() : cpu();
      const auto program = lowered(kBufferedSpec, doubled(scope, rounds), target);
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(computes(operator_of(kBufferedSpec), *program)) << print(*program);
      const auto verdict = verify(*program);
      EXPECT_TRUE(verdict) << verdict.error().message << print(*program);
    }
  }
}

// 96 elements for each of 8 work-items.
TEST(LoopDoubleBuffer, APartThatRegistersCannotHoldGoesStraightToItsCopy) {
  const char* spec = "gmm:m=4,n=32,k=48";
  const auto program = lowered(spec, doubled("local", 1), opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(print(*program).find("W.cache.next"), std::string::npos) << print(*program);
  EXPECT_TRUE(computes(operator_of(spec), *program)) << print(*program);
  const auto verdict = verify(*program);
  EXPECT_TRUE(verdict) << verdict.error().message << print(*program);
}

TEST(LoopDoubleBuffer, OneRoundHasNoNext) {
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: cache_read(tensor=W, at=b, scope=private)"
                       " ; double_buffer(tensor=W.cache)\n"),
               "loop b of gmm has no rounds that follow each other, which two copies need");
}

TEST(LoopDoubleBuffer, FailsWithItsReason) {
  EXPECT_ERROR(lowered(kBufferedSpec, "loops: double_buffer(tensor=W.cache)\n"),
               "loops: double_buffer(tensor=W.cache): stage gmm copies no W.cache, expected a "
               "cache_read before");
  EXPECT_ERROR(lowered(kBufferedSpec,
                       "loops: cache_read(tensor=W, at=k, scope=private)"
                       " ; double_buffer(tensor=W.cache) ; double_buffer(tensor=W.cache)\n"),
               "it has two copies already");
}

}  // namespace
}  // namespace dovetail
