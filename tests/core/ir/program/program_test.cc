// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/program.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/ir/layout/pack.h"
#include "tests/support/golden.h"
#include "tests/support/interpreter.h"

namespace dovetail {
namespace {

Program program_of(const std::string& text) {
  const auto program = parse_program(text);
  EXPECT_TRUE(program) << program.error().message;
  return *program;
}

Program c2d() { return program_of(testing::source_file("tests/golden/core/ir/c2d_program.txt")); }

TEST(Program, BytesAreThoseOfTheStorage) {
  const Program program = c2d();
  EXPECT_EQ(buffer_bytes(buffer_named(program, "X.pad")), 64 * 16 * 16 * 4);
  EXPECT_EQ(workspace_bytes(program), 64 * 16 * 16 * 4);
  EXPECT_EQ(find_buffer(program, "Z"), nullptr);
  const Program half = program_of("buffer X: f16 temporary X[h=3] as [h@1:5] offset h=-1\n");
  EXPECT_EQ(workspace_bytes(half), 10);
}

TEST(Program, CountsTheMultiplyAddsThatExecutePaddingIncluded) {
  EXPECT_EQ(executed_fmas(c2d()), 64.0 * 64 * 14 * 14 * 9);
  const auto in_loop = [](const std::string& store) {
    return executed_fmas(
        program_of("kernel k\n  for h in 0..6\n    for k in 0..3\n      " + store));
  };
  EXPECT_EQ(in_loop("y[h] += x[h] * w[k]\n"), 18);
  EXPECT_EQ(in_loop("y[h] = x[h] * w[k]\n"), 0);
  EXPECT_EQ(in_loop("y[h] = x[h] * w[k] + 1\n"), 18);
  EXPECT_EQ(in_loop("y[h] += x[h] + w[k]\n"), 0);
  EXPECT_EQ(in_loop("y[h] += 0 * w[k]\n"), 0);
  // Where a bound fails, nothing need be multiplied: h + k - 1 in [0, 6) for 16 of 18.
  EXPECT_EQ(in_loop("y[h] += ((0 <= h + k - 1 < 6) ? x[h + k - 1] : 0) * w[k]\n"), 16);
  EXPECT_EQ(in_loop("y[h] += (0 <= h + k - 1 < 6) ? x[h + k - 1] * w[k] : 0\n"), 16);
  EXPECT_EQ(in_loop("y[h] += (0 <= h < 2 and 1 <= k < 3) ? x[h] * w[k] : 0\n"), 4);
}

TEST(Program, CountsOnlyTheIterationsOfClippedLoops) {
  const auto in_window = [](const std::string& store) {
    return executed_fmas(program_of(
        "kernel k\n  for h in 0..6\n    for k in 0..3 where 0 <= h + k - 1 < 6\n      " + store));
  };
  EXPECT_EQ(in_window("y[h] += x[h + k - 1] * w[k]\n"), 16);
  EXPECT_EQ(in_window("y[h] += ((0 <= k < 2) ? x[h + k - 1] : 0) * w[k]\n"), 11);
  EXPECT_EQ(executed_fmas(program_of("kernel k\n  for h in 0..6 where 4 <= h < 9\n"
                                     "    for k in 0..3\n      y[h] += x[h] * w[k]\n")),
            6);
}

// A compiler multiplies once for all iterations that have the same product.
TEST(Program, CountsTheProductsThatDiffer) {
  const auto work = [](const std::string& body) {
    return executed_fmas(program_of("kernel k\n" + body));
  };
  EXPECT_EQ(work("  for a in 0..8\n    for c in 0..5\n      y[a] += x[c] * w[c]\n"), 5);
  EXPECT_EQ(work("  for a in 0..8\n    y[a] += x[0] * w[0]\n"), 1);
  EXPECT_EQ(work("  for a in 0..8\n    y[a] = x[a] * 1 + 3\n"), 0);
  EXPECT_EQ(work("  for a in 0..8\n    y[a] = (x[a] * 3 + 1) + (x[a] * 3 + 2)\n"), 8);
  EXPECT_EQ(work("  for a in 0..8\n    y[a] = real(index(a)) * 3 + 1\n"), 0) << "numbers";
  EXPECT_EQ(work("  for a in 0..8\n    for j in 0..9 at i[a]\n      y[a] += t[j] * w[0]\n"), 8);
}

TEST(Program, CountsWhatChangesInTiles) {
  const auto work = [](const std::string& filled, const std::string& read) {
    return executed_fmas(
        program_of("kernel k\n  for r in 0..4\n    registers t[8, 3]\n"
                   "    for a in 0..8\n      for b in 0..3\n        t[a, b] = " +
                   filled +
                   "\n    for a in 0..8\n      for b in 0..3\n"
                   "        y[r, a, b] = " +
                   read + "\n"));
  };
  EXPECT_EQ(work("x[b]", "t[a, b] * 2 + 1"), 3) << "t is the same for every a, and in every round";
  EXPECT_EQ(work("x[a] + z[b]", "t[a, b] * 2 + 1"), 8 * 3);
  EXPECT_EQ(work("x[r] + z[b]", "t[a, b] * 2 + 1"), 4 * 3);
  EXPECT_EQ(work("x[r]", "t[0, 0] * 2 + 1"), 4);
  EXPECT_EQ(work("0", "t[a, b] * x[b] + 1"), 3);
}

// Elements that are stored one by one are values of their own, the pieces of a loop are not.
TEST(Program, CountsWhatIsStoredOneByOne) {
  const auto work = [](const std::string& stores) {
    return executed_fmas(program_of("kernel k\n  registers t[8, 3]\n" + stores +
                                    "  for a in 0..8\n    for b in 0..3\n"
                                    "      y[a, b] = t[a, b] * 2 + 1\n"));
  };
  EXPECT_EQ(work("  for a in 0..8\n    t[a, 0] = x[0]\n    t[a, 1] = x[1]\n    t[a, 2] = 0\n"), 3);
  EXPECT_EQ(work("  for a in 0..5\n    for b in 0..3\n      t[a, b] = x[b]\n"
                 "  for a in 0..3\n    for b in 0..3\n      t[a + 5, b] = x[b]\n"),
            3);
}

TEST(Program, BuildTimeIsNoWork) {
  const Program program = program_of(
      "buffer w: f32 constant w[h=6] as [h@1:6]\nbuffer u: f32 prepared u[h=6] as [h@1:6]\n"
      "buffer x: f32 activation x[h=6] as [h@1:6]\nbuffer y: f32 output y[h=6] as [h@1:6]\n"
      "kernel make prepares\n  for h in 0..6\n    u[h] = w[h] * w[h] + 1\n"
      "kernel use\n  for h in 0..6\n    y[h] = u[h] * x[h] + 1\n");
  EXPECT_EQ(executed_fmas(program), 6);
  EXPECT_EQ(touched_bytes(program), 3 * 6 * 4);
  EXPECT_EQ(workspace_bytes(program), 0);
  EXPECT_EQ(preparing_kernels(program), 1);
}

TEST(Program, TouchedBytesAreDistinctElements) {
  const auto touched = [](const std::string& kernel) {
    return touched_bytes(
        program_of("buffer x: f32 activation x[h=99] as [h@1:99]\n"
                   "buffer y: f16 output y[h=99] as [h@1:99]\n"
                   "buffer z: f32 activation z[h=99] as [h@1:99]\nkernel k\n" +
                   kernel));
  };
  EXPECT_EQ(touched("  for h in 0..10\n    y[h] = x[h]\n"), 10 * 2 + 10 * 4);
  EXPECT_EQ(touched("  for h in 0..10\n    y[h] = x[2*h]\n"), 10 * 2 + 10 * 4);
  EXPECT_EQ(touched("  for h in 0..10\n    for k in 0..3\n      y[h] = x[h + k]\n"),
            10 * 2 + 12 * 4);
  EXPECT_EQ(touched("  for h in 0..10\n    y[0] = (0 <= h - 2 < 5) ? x[h - 2] : 0\n"), 2 + 5 * 4);
  EXPECT_EQ(touched("  for h in 0..10 where 0 <= h - 2 < 5\n    y[0] = x[h - 2]\n"), 2 + 5 * 4);
  EXPECT_EQ(touched("  y[0] = 1\n"), 2);
}

TEST(Program, ParallelExtentIsThatOfTheOutermostParallelLoop) {
  EXPECT_EQ(parallel_extent(c2d().kernels[0]), 4);
  EXPECT_EQ(parallel_extent(c2d().kernels[1]), 2);
  EXPECT_EQ(parallel_extent(program_of("kernel k\n  for h in 0..6\n    y[h] = 1\n").kernels[0]), 1);
  EXPECT_EQ(
      parallel_extent(program_of("kernel k\n  for h in 0..6 parallel\n    for w in 0..7 parallel\n")
                          .kernels[0]),
      6);
}

TEST(Program, EqualityIsStructural) {
  const Program program = c2d();
  EXPECT_EQ(program, c2d());
  Program other = c2d();
  std::get<Loop>(other.kernels[1].body[0].node).kind = LoopKind::serial;
  EXPECT_NE(program, other);
}

// The program of the golden file computes the convolution that it claims to.
TEST(Program, TheGoldenConvolutionIsRight) {
  const Program program = c2d();
  const auto small = [](const Buffer& buffer, int64_t modulus) {
    std::vector<float> values(static_cast<size_t>(logical_elements(buffer.layout)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(static_cast<int64_t>(i * 7919 % 31) % modulus - modulus / 2);
    return values;
  };
  const std::vector<float> x = small(buffer_named(program, "X"), 9);
  const std::vector<float> w = small(buffer_named(program, "W"), 5);
  const std::vector<float> bias = small(buffer_named(program, "bias"), 9);
  Storage storage;
  for (const auto& [name, values] :
       {std::pair("X", x), std::pair("W", w), std::pair("bias", bias)}) {
    const Layout& layout = buffer_named(program, name).layout;
    storage[name].resize(static_cast<size_t>(storage_elements(layout)));
    pack(layout, values, storage[name]);
  }
  const Layout& y_layout = buffer_named(program, "Y").layout;
  storage["Y"].resize(static_cast<size_t>(storage_elements(y_layout)));
  const auto done = interpret(program, storage);
  ASSERT_TRUE(done) << done.error().message;
  std::vector<float> y(static_cast<size_t>(logical_elements(y_layout)));
  unpack(y_layout, storage["Y"], y);
  for (const auto& [o, h, v] :
       {std::tuple(0, 0, 0), std::tuple(63, 13, 13), std::tuple(17, 5, 9)}) {
    float sum = bias[static_cast<size_t>(o)];
    for (int i = 0; i < 64; ++i)
      for (int kh = 0; kh < 3; ++kh)
        for (int kw = 0; kw < 3; ++kw) {
          const int row = h + kh - 1;
          const int column = v + kw - 1;
          if (row < 0 || row > 13 || column < 0 || column > 13) continue;
          sum += x[static_cast<size_t>((i * 14 + row) * 14 + column)] *
                 w[static_cast<size_t>(((o * 64 + i) * 3 + kh) * 3 + kw)];
        }
    EXPECT_EQ(y[static_cast<size_t>((o * 14 + h) * 14 + v)], std::max(sum, 0.0f));
  }
}

}  // namespace
}  // namespace dovetail
