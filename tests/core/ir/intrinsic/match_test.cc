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

}  // namespace
}  // namespace dovetail::testing
