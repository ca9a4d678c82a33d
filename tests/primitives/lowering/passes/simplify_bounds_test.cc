// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/bounds.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

// This remains of a value under `for h in 0..6, for k in 0..3`.
std::string simplified(const std::string& value) {
  const std::string head =
      "buffer X: f32 activation X[h=20] as [h@1:20]\n"
      "buffer Y: f32 output Y[h=6] as [h@1:6]\n"
      "kernel k\n  for h in 0..6\n    for k in 0..3\n      Y[h] = ";
  const Result<Program> program = parse_program(head + value + "\n");
  EXPECT_TRUE(program) << program.error().message;
  const std::string text = print(simplify_bounds(*program));
  EXPECT_TRUE(text.starts_with(head)) << text;
  return text.substr(head.size(), text.size() - head.size() - 1);
}

TEST(SimplifyBounds, DropsWhatAlwaysHolds) {
  EXPECT_EQ(simplified("(0 <= h + k < 8) ? X[h + k] : 0"), "X[h + k]");
  EXPECT_EQ(simplified("(0 <= h < 6 and 1 <= h + k < 8) ? X[h] : 0"),
            "(1 <= h + k < 8) ? X[h] : 0");
}

TEST(SimplifyBounds, KeepsWhatMayFail) {
  for (const char* value : {"(1 <= h + k < 8) ? X[h] : 0", "(0 <= h + k < 7) ? X[h] : 0",
                            "(0 <= h - k < 6) ? X[h] : 0"}) {
    EXPECT_EQ(simplified(value), value);
  }
}

TEST(SimplifyBounds, TakesTheOtherValueWhenOneNeverHolds) {
  EXPECT_EQ(simplified("(8 <= h + k < 20) ? X[h] : 0"), "0");
  EXPECT_EQ(simplified("(0 <= h + k < 7 and -3 <= k < 0) ? X[h] : X[h + 1]"), "X[h + 1]");
}

TEST(SimplifyBounds, KnowsTheIterationsOfClippedLoops) {
  const auto simplified_nest = [](const std::string& nest) {
    const std::string head =
        "buffer X: f32 activation X[h=20] as [h@1:20]\n"
        "buffer Y: f32 output Y[h=6] as [h@1:6]\nkernel k\n  for h in 0..6\n";
    return print(simplify_bounds(*parse_program(head + nest))).substr(head.size());
  };
  EXPECT_EQ(simplified_nest("    for k in 0..3 where 0 <= h + k - 1 < 6\n"
                            "      Y[h] = (0 <= h + k - 1 < 6) ? X[h + k] : 0\n"),
            "    for k in 0..3 where 0 <= h + k - 1 < 6\n      Y[h] = X[h + k]\n");
  EXPECT_EQ(simplified_nest("    for k in 0..3 where 0 <= h + k < 8\n      Y[h] = 1\n"),
            "    for k in 0..3\n      Y[h] = 1\n");
  EXPECT_EQ(simplified_nest("    Y[h] = 2\n    for k in 0..3 where 8 <= h + k < 9\n"
                            "      Y[h] = 1\n"),
            "    Y[h] = 2\n");
}

TEST(SimplifyBounds, DropsProductsThatAddNothing) {
  const auto simplified_tap = [](const std::string& tap) {
    const std::string head =
        "buffer X: f32 activation X[h=20] as [h@1:20]\n"
        "buffer Y: f32 output Y[h=6] as [h@1:6]\nkernel k\n  for h in 0..6\n    Y[h] = 2\n";
    const std::string nest = head + "    for k in 0..3\n      " + tap;
    return print(simplify_bounds(*parse_program(nest))).substr(head.size());
  };
  EXPECT_EQ(simplified_tap("Y[h] += ((8 <= h + k < 9) ? X[h] : 0) * X[k]\n"), "");
  EXPECT_EQ(simplified_tap("Y[h] += X[k] * (X[h] * ((8 <= h + k < 9) ? X[h] : 0))\n"), "");
  EXPECT_EQ(simplified_tap("Y[h] += ((8 <= h + k < 9) ? X[h] : 0) + X[k]\n"),
            "    for k in 0..3\n      Y[h] += 0 + X[k]\n");
  EXPECT_EQ(simplified_tap("Y[h] = ((8 <= h + k < 9) ? X[h] : 0) * X[k]\n"),
            "    for k in 0..3\n      Y[h] = 0 * X[k]\n");
}

TEST(SimplifyBounds, LooksInsideSumsAndFunctions) {
  EXPECT_EQ(simplified("X[h] * ((0 <= k < 3) ? X[k] : 0)"), "X[h] * X[k]");
  EXPECT_EQ(simplified("max(tanh((0 <= k < 3) ? X[k] : 0), 1)"), "max(tanh(X[k]), 1)");
  EXPECT_EQ(simplified("(1 <= h < 6) ? ((0 <= k < 3) ? X[k] : 1) : 0"), "(1 <= h < 6) ? X[k] : 0");
}

TEST(SimplifyBounds, ANestedRangeIsThatOfItsOwnLoop) {
  const char* text =
      "buffer X: f32 activation X[h=4] as [h@1:4]\n"
      "buffer Y: f32 output Y[h=4] as [h@1:4]\n"
      "kernel k\n"
      "  for h in 0..4\n"
      "    Y[h] = (0 <= h < 3) ? X[h] : 0\n"
      "  for h in 0..3\n"
      "    Y[h] = (0 <= h < 3) ? X[h] : 0\n";
  EXPECT_EQ(print(simplify_bounds(*parse_program(text))),
            "buffer X: f32 activation X[h=4] as [h@1:4]\n"
            "buffer Y: f32 output Y[h=4] as [h@1:4]\n"
            "kernel k\n"
            "  for h in 0..4\n"
            "    Y[h] = (0 <= h < 3) ? X[h] : 0\n"
            "  for h in 0..3\n"
            "    Y[h] = X[h]\n");
}

}  // namespace
}  // namespace dovetail
