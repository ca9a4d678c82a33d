// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/primitives/lowering/border_programs.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::parsed_program;
using testing::same_output;

std::string convolution(const std::string& nest, const std::string& scope = "") {
  return "buffer X: f32 activation X[h=6, w=4] as [h@1:6] [w@1:4]" + scope +
         "\n"
         "buffer W: f32 constant W[kh=3, kw=3] as [kh@1:3] [kw@1:3]\n"
         "buffer Y: f32 output Y[h=6, w=4] as [h@1:6] [w@1:4]\nkernel c2d\n" +
         nest;
}

const std::string kTap =
    " += ((0 <= h + kh - 1 < 6 and 0 <= w + kw - 1 < 4) ? X[h + kh - 1, w + kw - 1] : 0)"
    " * W[kh, kw]\n";
const std::string kRegisterNest =
    "  for h in 0..6\n"
    "    registers acc[4]\n"
    "    for w in 0..4 unrolled\n"
    "      acc[w] = 0\n"
    "    for kh in 0..3\n"
    "      for kw in 0..3\n"
    "        for w in 0..4 unrolled\n"
    "          acc[w]" +
    kTap +
    "    for w in 0..4 unrolled\n"
    "      Y[h, w] = acc[w]\n";

TEST(ClipLoops, MovesARowsBoundToTheWindowsLoop) {
  const Program program = parsed_program(convolution(kRegisterNest));
  const Program clipped = clip_loops(program);
  EXPECT_GOLDEN(print(clipped), "primitives/clipped");
  EXPECT_TRUE(same_output(program, clipped));
  // 16 = 6*3 - 2 rows of taps remain; the columns' bound still counts.
  EXPECT_EQ(executed_fmas(clipped), 16 * 10);
  EXPECT_EQ(executed_fmas(clipped), executed_fmas(program));
}

TEST(ClipLoops, MovesBothBoundsWhereBothWindowsAreInside) {
  const Program program = parsed_program(
      convolution("  for h in 0..6\n    for w in 0..4\n      Y[h, w] = 0\n      for kh in 0..3\n"
                  "        for kw in 0..3\n          Y[h, w]" +
                  kTap));
  const Program clipped = clip_loops(program);
  EXPECT_EQ(print(clipped).find('?'), std::string::npos) << print(clipped);
  EXPECT_TRUE(same_output(program, clipped));
}

// A loop stays where a failing bound would still add or store something, or no counter can follow
// the bound.
TEST(ClipLoops, LeavesOtherLoopsAlone) {
  const auto unchanged = [](const std::string& nest) {
    const Program program = parsed_program(convolution(nest));
    EXPECT_EQ(print(clip_loops(program)), print(program));
  };
  const std::string window = "    for kh in 0..3\n      for kw in 0..3 unrolled\n        ";
  const std::string row = "(0 <= h + kh - 1 < 6) ? X[h + kh - 1, 0] : ";
  unchanged("  for h in 0..6\n" + window + "Y[h, 0] = " + row + "0\n");
  unchanged("  for h in 0..6\n" + window + "Y[h, 0] += (" + row + "1) * W[kh, kw]\n");
  unchanged("  for h in 0..6\n" + window + "Y[h, 0] += (" + row + "0) + W[kh, kw]\n");
  unchanged("  for h in 0..6\n" + window + "Y[h, 0] += (" + row + "0) * W[kh, kw]\n" +
            "        Y[h, 1] += W[kh, kw]\n");
  unchanged("  for kh in 0..3 unrolled\n    for h in 0..6\n      Y[h, 0] += " + row + "0\n" +
            "      Y[h, 1] = 3\n");
  unchanged("  for k in 0..9\n    Y[0, 0] += (0 <= (k div 3) - 1 < 6) ? X[(k div 3) - 1, 0] : 0\n");
  // A read from an image keeps its bound: the border is zero at no cost.
  const Program program = parsed_program(convolution(kRegisterNest, " ; scope texture"));
  EXPECT_EQ(print(clip_loops(program)), print(program));
}

RC_GTEST_PROP(ClipLoopsLaw, ComputesTheSame, ()) {
  const Program program = testing::draw_bounded_convolution();
  const Program clipped = clip_loops(program);
  RC_CLASSIFY(print(clipped).find("where") != std::string::npos, "clipped");
  RC_ASSERT(same_output(program, clipped));
  RC_ASSERT(parse_program(print(clipped)) == Result<Program>(clipped));
  RC_ASSERT(std::llround(executed_fmas(clipped)) == std::llround(executed_fmas(program)));
}

}  // namespace
}  // namespace dovetail
