// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/expect_same.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

// One kernel over a vector: y[0..n) from x[0..n), and z[0..n).
std::string over_vectors(int n, const std::string& body) {
  const std::string axis = "[i=" + std::to_string(n) + "] as [i@1:" + std::to_string(n) + "]\n";
  return "buffer x: f32 activation x" + axis + "buffer z: f32 activation z" + axis +
         "buffer y: f32 output y" + axis + "kernel k\n" + body;
}

std::string lane_loop(int extent) {
  return " for i in 0.." + std::to_string(extent) + " vectorized\n";
}

TEST(CompileCpu, ConvolutionWithItsPaddingPassIsExact) {
  EXPECT_TRUE(same_as_interpreter(kConvolution));
}

TEST(CompileCpu, DepthwiseConvolutionIsExact) { EXPECT_TRUE(same_as_interpreter(kDepthwise)); }

TEST(CompileCpu, MatrixProductIsExact) { EXPECT_TRUE(same_as_interpreter(kMatrixProduct)); }

// A band of padded rows, filled once for the rows that read it, and again by each thread.
TEST(CompileCpu, PrivateTilesAreExact) {
  const char* text =
      "buffer x: f32 activation x[h=12, i=16] as [h@1:12] [i@1:16]\n"
      "buffer w: f32 constant w[k=3, i=16] as [k@1:3] [i@1:16]\n"
      "buffer y: f32 output y[h=12, i=16] as [h@1:12] [i@1:16]\n"
      "kernel k\n"
      " for h.0 in 0..3 parallel\n"
      "  private band[6, 16]\n"
      "  for b in 0..6\n"
      "   for i in 0..16 vectorized\n"
      "    band[b, i] = (0 <= 4*h.0 + b - 1 < 12) ? x[4*h.0 + b - 1, i] : 0\n"
      "  registers acc[4, 16]\n"
      "  for h.1 in 0..4 unrolled\n"
      "   for i in 0..16 vectorized\n"
      "    acc[h.1, i] = 0\n"
      "  for k in 0..3\n"
      "   for h.1 in 0..4 unrolled\n"
      "    for i in 0..16 vectorized\n"
      "     acc[h.1, i] += band[h.1 + k, i] * w[k, i]\n"
      "  for h.1 in 0..4 unrolled\n"
      "   for i in 0..16 vectorized\n"
      "    y[4*h.0 + h.1, i] = acc[h.1, i]\n";
  EXPECT_TRUE(same_as_interpreter(text));
  EXPECT_TRUE(same_as_interpreter(text, 2));
}

// Vectorized loops of two widths in one stretch of code: a load of the one is none for the other.
TEST(CompileCpu, VectorsOfSeveralWidthsMayReadTheSameElements) {
  EXPECT_TRUE(
      same_as_interpreter("buffer x: f32 activation x[c=2, i=32] as [c@1:2] [i@1:32]\n"
                          "buffer y: f32 output y[c=2, i=32] as [c@1:2] [i@1:32]\n"
                          "buffer z: f32 output z[c=2, i=32] as [c@1:2] [i@1:32]\n"
                          "kernel k\n"
                          " for c in 0..2 parallel\n"
                          "  for i in 0..32 vectorized\n"
                          "   z[c, i] = x[c, i] + 1\n"
                          "  for i.0 in 0..2 unrolled\n"
                          "   for i.1 in 0..16 vectorized\n"
                          "    y[c, 16*i.0 + i.1] = x[c, 16*i.0 + i.1] + x[c, i.1]\n"));
}

// Windows that move by two: x ends with the last lane's element, and nothing behind it is read.
TEST(CompileCpu, EverySecondElementIsExact) {
  for (const int lanes : {2, 3, 4, 8, 15, 16, 32}) {
    for (const char* type : {"f32", "f16"}) {
      EXPECT_TRUE(same_as_interpreter(fmt::format(
          "buffer x: {1} activation x[h=5, w={2}] as [h@1:5] [w@1:{2}]\n"
          "buffer y: {1} output y[h=4, w={0}] as [h@1:4] [w@1:{0}]\n"
          "kernel k\n"
          " for h in 0..4 parallel\n"
          "  for w in 0..{0} vectorized\n"
          "   y[h, w] = x[h, 2*w + 1] - x[h, w] + ((0 <= h - 1 < 9) ? x[h - 1, 2*w] : 0)\n",
          lanes, type, 2 * lanes)))
          << lanes << " " << type;
    }
  }
}

TEST(CompileCpu, KernelsSplitTheirParallelLoopAtWill) {
  EXPECT_TRUE(same_as_interpreter(kMatrixProduct, 2));
  EXPECT_TRUE(same_as_interpreter(kDepthwise, 3));
}

// The code of other x86 CPUs runs on this one, if it is one of the large ones.
TEST(CompileCpu, NarrowerVectorsAreExact) {
  if (vector_lanes(host_cpu()) < 16) GTEST_SKIP() << "needs AVX-512";
  for (const std::string arch : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "skylake-avx512"}) {
    const Target target = *cpu_target(*parse_target_name("cpu:arch=" + arch));
    EXPECT_TRUE(same_as_interpreter_on(target, kDepthwise)) << arch;
    EXPECT_TRUE(same_as_interpreter_on(target, kMatrixProduct)) << arch;
  }
}

TEST(CompileCpu, AnEmptyRangeDoesNothing) {
  const Program program = program_of(kMatrixProduct);
  Storage storage = small_integers(program, 1);
  const CompiledProgram compiled = *CompiledProgram::compile(program, host_cpu());
  ASSERT_TRUE(compiled.run_part(storage, 1, 1).has_value());
  for (const float value : storage["Y"]) ASSERT_TRUE(value != value);
}

TEST(CompileCpu, ObjectNamesKernelsInLaunchOrderWithTheirRanges) {
  const CpuObject object = *compile_cpu(program_of(kConvolution), host_cpu());
  EXPECT_EQ(object.kernels,
            (std::vector<std::string>{"dovetail_kernel_0_pad_X", "dovetail_kernel_1_c2d"}));
  EXPECT_EQ(object.parallel_extents, (std::vector<int64_t>{4, 2}));
}

TEST(CompileCpu, SameProgramGivesSameBytes) {
  const Program program = program_of(kConvolution);
  EXPECT_EQ(*compile_cpu(program, host_cpu()), *compile_cpu(program, host_cpu()));
}

TEST(CompileCpu, VectorsOfAnyExtentAreExact) {
  for (const int n : {1, 2, 3, 5, 7, 8, 10, 13, 16, 17, 31, 32, 33, 48, 64}) {
    const std::string text =
        over_vectors(n, lane_loop(n) + "  y[i] = max(x[i] * z[i] + 2, x[0] - z[i]) / 4\n");
    EXPECT_TRUE(same_as_interpreter(text)) << n;
  }
}

TEST(CompileCpu, RegisterTilesOfAnyLaneExtentAreExact) {
  for (const int n : {2, 3, 10, 16, 40}) {
    const std::string lanes = std::to_string(n);
    const std::string text = over_vectors(
        n, " registers acc[2, " + lanes + "]\n for r in 0..2 unrolled\n " + lane_loop(n) +
               "   acc[r, i] = 0\n for k in 0..5\n  for r in 0..2 unrolled\n  " + lane_loop(n) +
               "    acc[r, i] += x[i] * z[r]\n" + lane_loop(n) +
               "  y[i] = acc[0, i] - acc[1, i]\n");
    EXPECT_TRUE(same_as_interpreter(text)) << n;
  }
}

// Eight rows of so many lanes, and a statement for each.
std::string tile_loops(int lanes, const std::string& indent, const std::string& statement) {
  return fmt::format("{0}for p.1 in 0..8 unrolled\n{0} for o.1 in 0..{1} vectorized\n{0}  {2}\n",
                     indent, lanes, statement);
}

// A product's columns from `first` on, in a tile for `whole` lanes.
std::string product_part(int lanes, int whole, int first) {
  const std::string column = fmt::format("o.1 + {}", first);
  return fmt::format("  for o.0 in 0..1\n   registers acc[8, {}]\n", whole) +
         tile_loops(lanes, "   ", "acc[p.1, o.1] = 0") + "   for i in 0..8 unrolled\n" +
         tile_loops(lanes, "    ", "acc[p.1, o.1] += X[8*p.0 + p.1, i] * W[i, " + column + "]") +
         tile_loops(lanes, "   ", "Y[8*p.0 + p.1, " + column + "] = acc[p.1, o.1]");
}

// Loads of the second tile wait for no sum of the first one.
TEST(CompileCpu, ATileWithFewerLanesBehindOneWithAllIsExact) {
  for (const int lanes : {4, 8, 16})
    EXPECT_TRUE(same_as_interpreter(fmt::format(
        "buffer X: f32 activation X[p=64, i=8] as [p@1:64] [i@1:8]\n"
        "buffer W: f32 constant W[i=8, o={0}] as [i@1:8] [o@1:{0}]\n"
        "buffer Y: f32 output Y[p=64, o={0}] as [p@1:64] [o@1:{0}]\n"
        "kernel product\n for p.0 in 0..8\n{1}{2}",
        lanes + lanes / 2, product_part(lanes, lanes, 0), product_part(lanes / 2, lanes, lanes))))
        << lanes << " lanes";
}

// A tile whose loops stay loops lies in memory: slow, and right.
TEST(CompileCpu, RegisterTilesAtRunTimeIndicesAreExact) {
  EXPECT_TRUE(same_as_interpreter(over_vectors(24,
                                               " registers acc[3, 8]\n"
                                               " for r in 0..3\n"
                                               "  for i in 0..8 vectorized\n"
                                               "   acc[r, i] = x[8*r + i]\n"
                                               " for r in 0..3\n"
                                               "  for i in 0..8\n"
                                               "   y[8*r + i] = acc[r, i] + z[i]\n")));
}

TEST(CompileCpu, SumsInMemoryAreExact) {
  EXPECT_TRUE(same_as_interpreter(over_vectors(20,
                                               " for i in 0..20\n"
                                               "  y[i] = 0\n"
                                               " for k in 0..20\n"
                                               "  for i in 0..20 vectorized\n"
                                               "   y[i] += x[k] * z[i]\n"
                                               " for i in 0..20\n"
                                               "  y[i] += x[i]\n")));
}

TEST(CompileCpu, LanesThatMeetInOnePlaceAreAddedUp) {
  EXPECT_TRUE(same_as_interpreter(over_vectors(12,
                                               " for r in 0..3\n"
                                               "  y[r] = 1\n"
                                               "  for i in 0..4 vectorized\n"
                                               "   y[r] += x[4*r + i] * z[i]\n"
                                               "  for i in 0..4 vectorized\n"
                                               "   y[r + 3] = x[i]\n"
                                               " for i in 0..6\n"
                                               "  y[i + 6] = 0\n")));
}

TEST(CompileCpu, BoundsOfLoopsAreExact) {
  EXPECT_TRUE(same_as_interpreter(
      over_vectors(32,
                   " for i.0 in 0..4\n"
                   "  for i.1 in 0..8 vectorized\n"
                   "   y[8*i.0 + i.1] = (1 <= i.0 < 3) ? x[8*i.0 + i.1 + 8] * z[8*i.0] : 7\n")));
  EXPECT_TRUE(same_as_interpreter(over_vectors(
      32,
      " for i.0 in 0..8\n"
      "  for i.1 in 0..4 unrolled\n"
      "   y[4*i.0 + i.1] = (0 <= 4*i.0 + i.1 - 3 < 10) ? x[4*i.0 + i.1 - 3] : z[1]\n")));
}

TEST(CompileCpu, BoundsThatDifferBetweenLanesAreExact) {
  for (const int n : {5, 8, 16, 30}) {
    const std::string inside = "(0 <= i - 2 < " + std::to_string(n - 3) + ")";
    EXPECT_TRUE(same_as_interpreter(
        over_vectors(n, lane_loop(n) + "  y[i] = " + inside + " ? x[i - 2] + z[0] : 0\n")))
        << n;
    EXPECT_TRUE(same_as_interpreter(over_vectors(
        n, lane_loop(n) + "  y[i] = " + inside + " ? 1 : (0 <= i < 2) ? z[i] : x[i]\n")))
        << n;
  }
}

// Lanes that are more than a vector's, of which a whole vector is masked off.
TEST(CompileCpu, LanesThatNoBoundHoldsForAreNotRead) {
  const std::string text =
      "buffer w: f32 constant w[i=3] as [i@1:3]\n"
      "buffer y: f32 output y[i=16] as [i@1:16]\n"
      "kernel k\n"
      " for p in 0..3 parallel\n"
      "  for s in 0..1 where -3 <= p + s - 2 < -1\n"
      "   for l in 0..16 vectorized\n"
      "    y[l - 2*s] = -5 * ((-1 <= l - 3 < 1 and 0 <= p < 1) ? w[l - 2] : 0)\n";
  EXPECT_TRUE(same_as_interpreter(text));
  if (!host_cpu().llvm_triple.starts_with("x86_64")) return;
  EXPECT_TRUE(same_as_interpreter_on(*cpu_target(*parse_target_name("cpu:arch=x86-64-v3")), text));
}

TEST(CompileCpu, NestedBoundsAreExact) {
  EXPECT_TRUE(same_as_interpreter(over_vectors(
      32,
      " for i.0 in 0..4\n"
      "  for i.1 in 0..8 vectorized\n"
      "   y[8*i.0 + i.1] = (1 <= i.0 < 4) ? ((0 <= i.1 - 1 < 7) ? x[8*i.0 + i.1 - 1] : z[8*i.0 - "
      "8]) : -1\n")));
}

TEST(CompileCpu, DivisionsAndRemaindersOfIndicesAreExact) {
  for (const char* index :
       {"i div 3", "i mod 7", "(5*i) mod 8", "(i - 9) mod 7", "(i - 9) div 4 + 3",
        "(i - 9) div 5 + 2", "((i + 3) div 5) mod 3", "2*(i div 4) + i mod 2"}) {
    EXPECT_TRUE(same_as_interpreter(
        over_vectors(24, " for i in 0..24\n  y[i] = x[" + std::string(index) + "]\n")))
        << index;
    EXPECT_TRUE(same_as_interpreter(
        over_vectors(24, " for i in 0..24 unrolled\n  y[i] = x[" + std::string(index) + "]\n")))
        << index;
  }
}

// Under the constants of an unrolled loop, i.0 + (8*i.1 + lane) div 8 is a constant.
TEST(CompileCpu, DivisionsThatVanishWhenUnrolledMayHoldTheLane) {
  EXPECT_TRUE(same_as_interpreter(
      over_vectors(32,
                   " for i.0 in 0..4 unrolled\n"
                   "  for i.1 in 0..8 vectorized\n"
                   "   y[8*i.0 + i.1] = x[(8*i.0 + i.1) div 8] + z[(8*i.0 + i.1) mod 8]\n")));
}

TEST(CompileCpu, MinAndMaxKeepNaN) {
  const Program program = program_of(
      over_vectors(4, lane_loop(4) + "  y[i] = max(min(x[i], 6), 0) + max(z[i], x[i])\n"));
  Storage storage = small_integers(program, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  storage["x"] = {nan, 1, 9, -1};
  storage["z"] = {0, nan, 1, 1};
  ASSERT_TRUE(CompiledProgram::compile(program, host_cpu())->run(storage).has_value());
  EXPECT_TRUE(std::isnan(storage["y"][0]));
  EXPECT_TRUE(std::isnan(storage["y"][1]));
  EXPECT_EQ(storage["y"][2], 15);
  EXPECT_EQ(storage["y"][3], 1);
}

TEST(CompileCpu, HalfBuffersAreWidenedAndRounded) {
  EXPECT_TRUE(
      same_as_interpreter("buffer x: f16 activation x[i=48] as [i@1:48]\n"
                          "buffer w: f16 constant w[i=48] as [i@1:48]\n"
                          "buffer y: f16 output y[i=48] as [i@1:48]\n"
                          "kernel k\n"
                          " for i.0 in 0..3\n"
                          "  for i.1 in 0..16 vectorized\n"
                          "   y[16*i.0 + i.1] = x[16*i.0 + i.1] * w[3] + 0.3\n"));
}

TEST(CompileCpu, EpiloguesAreWithinAFewUlp) {
  for (const char* value : {"max(x[i] + z[i], 0)", "0.5 * x[i] * (1 + erf(x[i] * 0.70710678))",
                            "x[i] / (1 + exp(0 - x[i]))", "1 / (1 + exp(0 - x[i]))",
                            "tanh(x[i] * 0.25)", "exp(z[0]) + x[i]"}) {
    EXPECT_TRUE(same_as_interpreter(over_vectors(32, lane_loop(32) + "  y[i] = " + value + "\n"),
                                    /*parts=*/1, /*tolerance=*/1e-6))
        << value;
  }
}

}  // namespace
}  // namespace dovetail::testing
