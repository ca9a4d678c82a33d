// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/match.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

struct Types {
  std::string x = "i8", w = "i8", y = "i32";
};

// `body`: the lines of the tensorized loop, inside of a loop over k.0.
std::string product(const std::string& body, const Types& types = {}) {
  return "buffer X: " + types.x + " activation X[k=8] as [k@1:8]\n" + "buffer W: " + types.w +
         " constant W[k=8, o=16] as [k@4:2] [o@1:16] [k@1:4]\n" + "buffer Y: " + types.y +
         " output Y[o=16] as [o@1:16]\n" +
         "kernel k\n"
         "  for o in 0..16 vectorized\n"
         "    Y[o] = 0\n"
         "  for k.0 in 0..2\n" +
         body;
}

constexpr const char* kDot =
    "    for k.1 in 0..4 unrolled tensorize avx512_vnni.dot_i8\n"
    "      for o in 0..16 vectorized\n"
    "        Y[o] += W[k.0, o, k.1] * X[4*k.0 + k.1]\n";

std::string with(std::string text, const std::string& old, const std::string& put) {
  return text.replace(text.find(old), old.size(), put);
}

TEST(MatchIntrinsic, TakesTheDefinitionsLoopsInEitherOrderOfFactors) {
  const Result<Program> program = parse_program(product(kDot));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(verify(*program)) << verify(*program).error().message;
  EXPECT_EQ(print(*program).find("tensorize avx512_vnni.dot_i8\n") != std::string::npos, true);
  EXPECT_EQ(*parse_program(print(*program)), *program);
}

TEST(MatchIntrinsic, NamesTheOperandThatDiffers) {
  const auto verdict = [](const std::string& text) { return verify(*parse_program(text)); };
  EXPECT_ERROR(verdict(product(with(kDot, "dot_i8", "dot_i9"))),
               "loop k.1 has intrinsic avx512_vnni.dot_i9; expected one of: ");
  EXPECT_ERROR(verdict(product(kDot, {.x = "u8"})),
               "kernel k: loop k.1 is no avx512_vnni.dot_i8: X of u8, expected i8 for A");
  EXPECT_ERROR(verdict(product(kDot, {.y = "i64"})), "Y of i64, expected i32 for C");
  EXPECT_ERROR(verdict(product(with(kDot, "* X[4*k.0 + k.1]", "* X[k.0 + 2*k.1]"))),
               "X has stride 2 along k.1, expected 1, as A has");
  EXPECT_ERROR(verdict(product(with(kDot, "0..16 vectorized", "0..8 vectorized"))),
               "loop o of 8 iterations, expected 16 unconditional ones over o");
  EXPECT_ERROR(verdict(product(with(kDot, "+= W", "= W"))), "expected one that accumulates");
  EXPECT_ERROR(verdict(product(with(kDot, "* X", "+ X"))), "expected its definition's value");
}

// A warp's product of 16 by 8 sums.
constexpr const char* kWarp =
    "buffer X: f16 activation X[m=16, k=16] as [m@1:16] [k@1:16]\n"
    "buffer W: f16 constant W[n=8, k=16] as [n@1:8] [k@1:16]\n"
    "buffer Y: f32 output Y[m=16, n=8] as [m@1:16] [n@1:8]\n"
    "kernel k\n"
    "  for g in 0..8 bind thread.1\n"
    "    for t in 0..4 bind thread.0\n"
    "      registers acc[2, 2]\n"
    "      for r in 0..2 unrolled\n"
    "        for c in 0..2 vectorized\n"
    "          acc[r, c] = 0\n"
    "      for k in 0..16 unrolled tensorize mma.m16n8k16_f16\n"
    "        for r in 0..2 unrolled\n"
    "          for c in 0..2 vectorized\n"
    "            acc[r, c] += W[2*t + c, k] * X[8*r + g, k]\n"
    "      for r in 0..2 unrolled\n"
    "        for c in 0..2 vectorized\n"
    "          Y[8*r + g, 2*t + c] = acc[r, c]\n";

TEST(MatchIntrinsic, TakesLanesFromTheWorkItemsAround) {
  const Result<Program> program = parse_program(kWarp);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(verify(*program)) << verify(*program).error().message;
}

TEST(MatchIntrinsic, NamesTheLaneThatDiffers) {
  const auto verdict = [](const std::string& text) { return verify(*parse_program(text)); };
  EXPECT_ERROR(verdict(with(kWarp, "bind thread.0", "bind thread.2")),
               "loop k is no mma.m16n8k16_f16: no loop bound to thread.0, expected one for axis t");
  EXPECT_ERROR(verdict(with(kWarp, "t in 0..4", "t in 0..2")),
               "loop t of 2 iterations on thread.0, expected 4");
  EXPECT_ERROR(verdict(with(kWarp, "g in 0..8", "g in 0..4")),
               "loop g of 4 iterations on thread.1, expected a multiple of 8");
  EXPECT_ERROR(verdict(with(kWarp, "* X[8*r + g, k]", "* X[k, 8*r + g]")),
               "X has stride 16 along k, expected 1, as A has");
  EXPECT_ERROR(verdict(with(kWarp, "* X[8*r + g, k]", "* X[2*t + r, k]")), "expected 0, as A has");
  std::string clipped = with(kWarp, "      for k in 0..16",
                             "      for z in 0..2 where 0 <= z + g < 8\n        for k in 0..16");
  for (const char* line : {"        for r in 0..2 unrolled\n          for c in 0..2 vectorized\n"
                           "            acc[r, c] +="})
    clipped = with(clipped, line,
                   "          for r in 0..2 unrolled\n            for c in 0..2 vectorized\n"
                   "              acc[r, c] +=");
  EXPECT_ERROR(verdict(clipped), "clipped loop z around it, expected all work-items to come there");
}

// A product of factors that the instruction rounds has to say so.
TEST(MatchIntrinsic, NamesTheFactorThatIsNotRounded) {
  constexpr const char* kProduct =
      "buffer X: f32 activation X[m=64, k=8] as [m@8:8] [k@4:2] [m@1:8] [k@1:4]\n"
      "buffer W: f32 constant W[n=16, k=8] as [n@8:2] [k@4:2] [n@1:8] [k@1:4]\n"
      "buffer Y: f32 output Y[m=64, n=16] as [m@1:64] [n@1:16]\n"
      "kernel k\n"
      "  for w in 0..4 bind thread.2\n"
      "    for g in 0..8 bind thread.1\n"
      "      for t in 0..4 bind thread.0\n"
      "        registers acc[2, 2, 2]\n"
      "        for r in 0..2 unrolled\n"
      "          for j in 0..2 unrolled\n"
      "            for c in 0..2 vectorized\n"
      "              acc[r, j, c] = 0\n"
      "        for h in 0..2 unrolled tensorize wgmma.m64n16k8_tf32\n"
      "          for k in 0..4 unrolled\n"
      "            for r in 0..2 unrolled\n"
      "              for j in 0..2 unrolled\n"
      "                for c in 0..2 vectorized\n"
      "                  acc[r, j, c] += tf32(X[2*w + r, h, g, k]) * tf32(W[j, h, 2*t + c, k])\n"
      "        for r in 0..2 unrolled\n"
      "          for j in 0..2 unrolled\n"
      "            for c in 0..2 vectorized\n"
      "              Y[16*w + 8*r + g, 8*j + 2*t + c] = acc[r, j, c]\n";
  const Result<Program> program = parse_program(kProduct);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(verify(*program)) << verify(*program).error().message;
  const std::string exact = with(kProduct, "tf32(X[2*w + r, h, g, k])", "X[2*w + r, h, g, k]");
  const std::string both = with(exact, "tf32(W[j, h, 2*t + c, k])", "W[j, h, 2*t + c, k]");
  EXPECT_ERROR(verify(*parse_program(both)), "expected a factor rounded to tf32");
}

}  // namespace
}  // namespace dovetail::testing
