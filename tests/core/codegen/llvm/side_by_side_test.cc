// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/expect_same.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using testing::same_as_interpreter;

// y = a value of x, of one number a column, and of itself before, in tiles of rows x vectors.
std::string tile(const std::string& value, int rows, int vectors, int lanes = 8) {
  return fmt::format(
      "buffer x: f32 activation x[a={2}, b={3}] as [a@1:{2}] [b@1:{3}]\n"
      "buffer c: f32 constant c[b={3}] as [b@1:{3}]\n"
      "buffer y: f32 output y[a={2}, b={3}] as [a@1:{2}] [b@1:{3}]\n"
      "kernel k\n"
      " for a.0 in 0..2 parallel\n"
      "  for a.1 in 0..{0} unrolled\n"
      "   for b.0 in 0..{1} unrolled\n"
      "    for b.1 in 0..{4} vectorized\n"
      "     y[{0}*a.0 + a.1, {4}*b.0 + b.1] = {5}\n",
      rows, vectors, 2 * rows, vectors * lanes, lanes,
      fmt::format(fmt::runtime(value), fmt::format("[{0}*a.0 + a.1, {1}*b.0 + b.1]", rows, lanes),
                  fmt::format("[{}*b.0 + b.1]", lanes)));
}

constexpr double kFewUlp = 1e-6;

// An odd one is computed alone. Two is added, not one as in gelu, which cancels where erf is near
// -1.
TEST(SideBySide, FunctionsAreThoseOfEachVectorAlone) {
  for (const int rows : {1, 2, 3})
    for (const int vectors : {1, 2, 3})
      for (const int lanes : {4, 8, 16}) {
        const std::string gelu = "(x{0} + c{1}) * 0.5 * (erf((x{0} + c{1}) * 0.7071) + 2)";
        EXPECT_TRUE(same_as_interpreter(tile(gelu, rows, vectors, lanes), 1, kFewUlp))
            << rows << " x " << vectors << " x " << lanes;
      }
}

TEST(SideBySide, FunctionsMayStandAnywhereInAValue) {
  for (const char* value :
       {"exp(x{0} * 0.1)", "tanh(exp(x{0} * -0.25)) - c{1}", "x{0} - tanh(c{1}) * 0.5",
        "c{1} / (exp(0 - x{0}) + 1)", "max(exp(c{1} * 0.125), tanh(x{0}))",
        "(0 <= a.0 + a.1 - 1 < 2) ? exp(x{0}) : 1", "sin(2) * x{0}"})
    EXPECT_TRUE(same_as_interpreter(tile(value, 3, 2), 1, 4 * kFewUlp)) << value;
}

// The store writes the buffer that its value reads, so vectors are computed one after the other.
TEST(SideBySide, AStoreThatReadsItsOwnBufferKeepsItsOrder) {
  const std::string text =
      "buffer x: f32 activation x[b=8] as [b@1:8]\n"
      "buffer y: f32 output y[a=4, b=8] as [a@1:4] [b@1:8]\n"
      "kernel k\n"
      " for a in 0..4\n"
      "  for b in 0..8 vectorized\n"
      "   y[a, b] = x[b] * 0.01\n"
      " for a in 0..4 unrolled\n"
      "  for b in 0..8 vectorized\n"
      "   y[a, b] = exp(y[a, b])\n";
  EXPECT_TRUE(same_as_interpreter(text, 1, 8 * kFewUlp));
}

// Neither chain runs ahead of the other: between multiply-adds of the polynomials there is one of
// the other vector.
TEST(SideBySide, ChainsAreInStep) {
  const Target target = right(cpu_target(right(parse_target_name("cpu:arch=x86-64-v3"))));
  const std::string assembly =
      right(emit_assembly(testing::program_of(tile("erf(x{0})", 1, 2)), target));
  EXPECT_NE(assembly.find("#APP"), std::string::npos) << assembly;
  const std::string alone =
      right(emit_assembly(testing::program_of(tile("erf(x{0})", 1, 1)), target));
  EXPECT_EQ(alone.find("#APP"), std::string::npos) << alone;
}

}  // namespace
}  // namespace dovetail
