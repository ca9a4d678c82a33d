// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/stages.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::lowered;
using testing::operator_of;

constexpr const char* kInlinedSpec = "c1d:ci=4,co=4,w=6,k=3,p=1";
constexpr const char* kPaddedLayout = "layout X: pad(axis=w, before=1, after=1) reorder(n, w, i)\n";

TEST(LoopInline, ReadsTheTensorThroughBoundsAsTheGoldenText) {
  const auto program =
      lowered(kInlinedSpec, std::string(kPaddedLayout) + "loops X.pad: inline()\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/inlined");
  EXPECT_TRUE(computes(operator_of(kInlinedSpec), *program));
}

TEST(LoopInline, IsTheSameAsNoPadding) {
  const auto inlined =
      lowered(kInlinedSpec, std::string(kPaddedLayout) + "loops X.pad: inline()\n");
  EXPECT_EQ(inlined, lowered(kInlinedSpec, "layout X: reorder(n, w, i)\n"));
}

TEST(LoopInline, OfAnAddedTensorReadsItWhereTheSumEnds) {
  const char* spec = "c1d:ci=4,co=6,w=6,k=3,p=1+add";
  const char* trace =
      "layout Y: pad(axis=o, before=0, after=2) split(axis=o, factor=4)\n"
      "loops add.pad: inline()\n";
  const auto program = lowered(spec, trace);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(spec), *program)) << print(*program);
}

TEST(LoopInline, FailsWithItsReason) {
  const std::string padded = kPaddedLayout;
  EXPECT_ERROR(lowered(kInlinedSpec, padded + "loops X.pad: inline() ; vectorize(w)\n"),
               "loops X.pad: inline(): expected it alone in its line");
  EXPECT_ERROR(lowered(kInlinedSpec, "loops X.pad: inline()\n"), "loops X.pad: no such stage");
  EXPECT_ERROR(lowered(kInlinedSpec, padded + "loops: inline()\n"),
               "loops: inline(): nothing reads what stage c1d makes");
}

}  // namespace
}  // namespace dovetail
