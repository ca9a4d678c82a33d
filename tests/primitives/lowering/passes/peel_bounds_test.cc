// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/peel_loops.h"

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/interpreter.h"

namespace dovetail {
namespace {

Program program_of(const std::string& text) {
  const Result<Program> program = parse_program(text);
  EXPECT_TRUE(program) << program.error().message;
  return *program;
}

// Both programs on the same X; what they leave in Y.
void expect_same_output(const Program& a, const Program& b) {
  std::vector<float> found[2];
  for (const Program* program : {&a, &b}) {
    Storage storage;
    for (const Buffer& buffer : program->buffers) {
      std::vector<float>& values = storage[buffer.name];
      for (int64_t k = 0; k < storage_elements(buffer.layout); ++k)
        values.push_back(static_cast<float>(k + 1));
    }
    const Result<void> ran = interpret(*program, storage);
    ASSERT_TRUE(ran) << ran.error().message;
    found[program == &a ? 0 : 1] = storage["Y"];
  }
  EXPECT_EQ(found[0], found[1]);
}

constexpr const char* kPadded =
    "buffer X: f32 activation X[h=3, w=5] as [h@1:3] [w@1:5]\n"
    "buffer Y: f32 output Y[h=6, w=8] as [h@1:6] [w@1:8]\n"
    "kernel pad\n"
    "  for h in 0..6\n"
    "    for w in 0..8\n"
    "      Y[h, w] = (0 <= h - 1 < 3 and 0 <= w - 2 < 5) ? X[h - 1, w - 2] : 0\n";

TEST(PeelBounds, RunsTheBordersByThemselves) {
  const Program program = program_of(kPadded), peeled = peel_bounds(program);
  EXPECT_GOLDEN(print(peeled), "primitives/peeled");
  const Result<void> verdict = verify(peeled);
  EXPECT_TRUE(verdict) << verdict.error().message;
  expect_same_output(program, peeled);
}

void expect_no_bounds_left(const Program& program) {
  const Program peeled = peel_bounds(program);
  EXPECT_EQ(print(peeled).find('?'), std::string::npos) << print(peeled);
  EXPECT_TRUE(verify(peeled));
  expect_same_output(program, peeled);
}

TEST(PeelBounds, PeelsAFusedLoop) {
  const Program program = program_of(
      "buffer X: f32 activation X[h=3, w=5] as [h@1:3 w@1:5 =h_w]\n"
      "buffer Y: f32 output Y[h=5, w=5] as [h@1:5 w@1:5 =h_w]\n"
      "kernel pad\n"
      "  for h_w in 0..25\n"
      "    Y[h_w] = (0 <= (h_w div 5) - 1 < 3) ? X[h_w - 5] : 0\n");
  expect_no_bounds_left(program);
}

// 48, 16 and 32 channels in blocks of 16: where one part ends is decided by the blocks' loop alone.
TEST(PeelBounds, CutsAConcatenationIntoItsParts) {
  const Program program = program_of(
      "buffer A: f32 activation A[c=3, e=16] as [c@1:3] [e@1:16]\n"
      "buffer B: f32 activation B[c=1, e=16] as [c@1:1] [e@1:16]\n"
      "buffer C: f32 activation C[c=2, e=16] as [c@1:2] [e@1:16]\n"
      "buffer Y: f32 output Y[c=6, e=16] as [c@1:6] [e@1:16]\n"
      "kernel concat\n"
      "  for c in 0..6\n"
      "    for e in 0..16\n"
      "      Y[c, e] = (0 <= 16*c + e < 48) ? ((0 <= c < 3) ? A[c, e] : 0) : "
      "(0 <= 16*c + e < 64) ? ((0 <= c - 3 < 1) ? B[c - 3, e] : 0) : "
      "((0 <= c - 4 < 2) ? C[c - 4, e] : 0)\n");
  expect_no_bounds_left(program);
}

TEST(PeelBounds, LeavesOtherLoopsAlone) {
  for (const char* body :
       {"  for h in 0..6 parallel\n    Y[h] = (0 <= h - 1 < 3) ? X[h - 1] : 0\n",
        "  for h in 0..6 vectorized\n    Y[h] = (0 <= h - 1 < 3) ? X[h - 1] : 0\n",
        "  for h in 0..3\n    for k in 0..2\n"
        "      Y[2*h + k] = (0 <= 2*h + k - 1 < 3) ? X[2*h + k - 1] : 0\n",
        "  for h in 0..6\n    registers acc[1]\n"
        "    acc[0] = (0 <= h - 1 < 3) ? X[h - 1] : 0\n    Y[h] = acc[0]\n"}) {
    const Program program = program_of(
        "buffer X: f32 activation X[h=3] as [h@1:3]\n"
        "buffer Y: f32 output Y[h=6] as [h@1:6]\nkernel k\n" +
        std::string(body));
    EXPECT_EQ(print(peel_bounds(program)), print(program));
  }
}

}  // namespace
}  // namespace dovetail
