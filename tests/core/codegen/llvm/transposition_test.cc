// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/expect_same.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using testing::same_as_interpreter;

// y[b, a] = x[a, b] in tiles of `rows` values of a and `lanes` of b, three of them along each.
std::string transposing(int rows, int lanes, const char* type = "f32",
                        const char* value = "x[{0}*a.0 + a.1, {1}*b.0 + b.1]") {
  const std::string read = fmt::format(fmt::runtime(value), rows, lanes);
  return fmt::format(
      "buffer x: {2} activation x[a={3}, b={4}] as [a@1:{3}] [b@1:{4}]\n"
      "buffer y: {2} output y[b={4}, a={3}] as [b@1:{4}] [a@1:{3}]\n"
      "kernel k\n"
      " for b.0 in 0..3 parallel\n"
      "  for a.0 in 0..3\n"
      "   for a.1 in 0..{0} unrolled\n"
      "    for b.1 in 0..{1} vectorized\n"
      "     y[{1}*b.0 + b.1, {0}*a.0 + a.1] = {5}\n",
      rows, lanes, type, 3 * rows, 3 * lanes, read);
}

TEST(Transposition, IsExactForTilesOfAnyShape) {
  for (const int rows : {2, 3, 4, 8, 16}) {
    for (const int lanes : {2, 4, 5, 8, 14, 16})
      EXPECT_TRUE(same_as_interpreter(transposing(rows, lanes))) << rows << " x " << lanes;
  }
}

// LLVM 19 had no instruction for some, as where 9 rows of 10 lanes are widened to 16 of 16.
TEST(Transposition, CompilesForWideVectors) {
  const Target target = right(cpu_target(right(parse_target_name("cpu:arch=skylake-avx512"))));
  for (int rows = 2; rows <= 16; ++rows) {
    for (int lanes = 2; lanes <= 16; ++lanes) {
      const auto object = compile_cpu(testing::program_of(transposing(rows, lanes)), target);
      EXPECT_TRUE(object) << rows << " x " << lanes << ": " << object.error().message;
    }
  }
}

TEST(Transposition, IsExactForHalves) {
  EXPECT_TRUE(same_as_interpreter(transposing(16, 8, "f16"), 2));
}

// A value may lie beyond the tensor, or be the same in all lanes.
TEST(Transposition, TakesAnyValue) {
  EXPECT_TRUE(same_as_interpreter(
      transposing(8, 16, "f32",
                  "(0 <= {1}*b.0 + b.1 - 1 < 48) ? x[{0}*a.0 + a.1, {1}*b.0 + b.1 - 1] * 2 : 3")));
  EXPECT_TRUE(same_as_interpreter(transposing(8, 4, "f32", "x[{0}*a.0 + a.1, 0]")));
}

// A store every `step` elements in each of three iterations.
Result<CpuObject> compile_stores(int step) {
  const std::string text = fmt::format(
      "buffer x: f32 activation x[a=3, b=4] as [a@1:3] [b@1:4]\n"
      "buffer y: f32 output y[i=12] as [i@1:12]\n"
      "kernel k\n"
      " for a in 0..3 unrolled\n"
      "  for b in 0..4 vectorized\n"
      "   y[{}*b + a] = x[a, b]\n",
      step);
  return compile_cpu(testing::program_of(text), testing::host_cpu());
}

// Where lanes meet what another iteration stores, the last store must remain.
TEST(Transposition, RefusesStoresThatMeet) {
  EXPECT_TRUE(compile_stores(3));
  const auto object = compile_stores(2);
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message,
            "kernel k: y is accessed with lane stride 2; a CPU vector needs 0 or 1");
}

// There are 16 stores of whole vectors, where one element after the other would take 256.
TEST(Transposition, StoresWholeVectors) {
  const Target target = *cpu_target(*parse_target_name("cpu:arch=skylake-avx512"));
  const std::string ir =
      *emit_llvm_ir(testing::program_of(transposing(16, 16)), target, /*optimized=*/true);
  size_t stores = 0;
  for (size_t at = ir.find("store "); at != std::string::npos; at = ir.find("store ", at + 1))
    ++stores;
  EXPECT_EQ(stores, 16U) << ir;
  EXPECT_NE(ir.find("store <16 x float>"), std::string::npos) << ir;
}

}  // namespace
}  // namespace dovetail
