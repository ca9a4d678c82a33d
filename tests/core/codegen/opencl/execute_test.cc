// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/emit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/codegen/opencl/execution.h"
#include "tests/core/codegen/opencl/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

class OpenclExecution : public ::testing::Test {
 protected:
  void SetUp() override { DOVETAIL_REQUIRE_OPENCL(); }
};

TEST_F(OpenclExecution, MatrixProductInRegisterTiles) { EXPECT_DEVICE_AGREES(kMatrixProduct); }

TEST_F(OpenclExecution, CopyWithBoundsReadsNothingOutside) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[h=5, w=7] as [h@1:5] [w@1:7]\n"
      "buffer Y: f32 output Y[h=9, w=12] as [h@1:9] [w@1:12]\n"
      "kernel copy\n"
      "  for h in 0..9 parallel\n"
      "    for w in 0..12 vectorized\n"
      "      Y[h, w] = (0 <= h - 2 < 5 and 0 <= w - 3 < 7) ? X[h - 2, w - 3] : 0.5\n");
}

TEST_F(OpenclExecution, ClippedLoopsAndTapsInThePadding) {
  for (const char* bounds : {"0 <= h + kh - 1 < 5", "0 <= h + kh - 1 < 5 and 0 <= 2 - 2*kh < 9",
                             "0 <= h + kh - 1 < 5 and 1 <= kh + (h div 2) < 3"}) {
    EXPECT_DEVICE_AGREES(fmt::format(
        "buffer X: f32 activation X[h=5, w=4] as [h@1:5] [w@1:4]\n"
        "buffer W: f32 constant W[kh=3, kw=3, o=8] as [kh@1:3] [kw@1:3] [o@1:8]\n"
        "buffer Y: f32 output Y[h=7, w=4, o=8] as [h@1:7] [w@1:4] [o@1:8]\n"
        "kernel conv\n"
        "  for h in 0..7 bind group.0\n"
        "    registers acc[4, 8]\n"
        "    for w in 0..4 unrolled\n"
        "      for o in 0..8 vectorized\n"
        "        acc[w, o] = 0\n"
        "    for kh in 0..3 where {}\n"
        "      for kw in 0..3 unrolled\n"
        "        for w in 0..4 unrolled\n"
        "          for o in 0..8 vectorized\n"
        "            acc[w, o] += ((0 <= w + kw - 1 < 4) ? X[h + kh - 1, w + kw - 1] : 0)"
        " * W[kh, kw, o]\n"
        "    for w in 0..4 unrolled\n"
        "      for o in 0..8 vectorized\n"
        "        Y[h, w, o] = acc[w, o]\n",
        bounds));
  }
}

// 0 / 0 is one; max and min of OpenCL C may give anything for it.
TEST_F(OpenclExecution, ExtremaOfTwoTensorsKeepNaN) {
  for (const int extent : {1, 4}) {
    for (const char* value : {"max(X[a, b] / X[a, b], Z[a, b])", "min(Z[a, b], X[a, b] / X[a, b])",
                              "max(min(X[a, b] / X[a, b], Z[a, b] / Z[a, b]), X[a, b])"}) {
      EXPECT_DEVICE_AGREES(
          fmt::format("buffer X: f32 activation X[a=16, b={0}] as [a@1:16] [b@1:{0}]\n"
                      "buffer Z: f32 activation Z[a=16, b={0}] as [a@1:16] [b@1:{0}]\n"
                      "buffer Y: f32 output Y[a=16, b={0}] as [a@1:16] [b@1:{0}]\n"
                      "kernel extrema\n"
                      "  for a in 0..16\n"
                      "    for b in 0..{0} vectorized\n"
                      "      Y[a, b] = {1}\n",
                      extent, value));
    }
  }
}

TEST_F(OpenclExecution, VectorLoopsOfAnyExtentAndStride) {
  for (const int extent : {2, 3, 5, 7, 13, 16, 31}) {
    EXPECT_DEVICE_AGREES(
        fmt::format("buffer X: f32 activation X[a=3, b={0}] as [a@1:3] [b@1:{0}]\n"
                    "buffer T: f32 activation T[b={0}, a=3] as [b@1:{0}] [a@1:3]\n"
                    "buffer Y: f32 output Y[a=3, b={0}] as [a@1:3] [b@1:{0}]\n"
                    "buffer Z: f32 output Z[b={0}, a=3] as [b@1:{0}] [a@1:3]\n"
                    "kernel all\n"
                    "  for a in 0..3\n"
                    "    for b in 0..{0} vectorized\n"
                    "      Y[a, b] = X[a, b] * X[a, 1] + T[b, a] + X[a, b div 2]\n"
                    "      Z[b, a] = X[a, {1} - 1*b] - T[0, a]\n",
                    extent, extent - 1));
  }
}

TEST_F(OpenclExecution, VectorizedReductionAddsEveryLane) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=3, b=10] as [a@1:3] [b@1:10]\n"
      "buffer Y: f32 output Y[a=3] as [a@1:3]\n"
      "kernel sum\n"
      "  for a in 0..3 parallel\n"
      "    registers acc[1]\n"
      "    acc[0] = 0\n"
      "    for b in 0..10 vectorized\n"
      "      acc[0] += X[a, b]\n"
      "    Y[a] = 0\n"
      "    for b in 0..10 vectorized\n"
      "      Y[a] += X[a, b] * X[a, b]\n"
      "    Y[a] = Y[a] + acc[0]\n");
}

TEST_F(OpenclExecution, RegisterTileIndexedByALoopIsAnArray) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=6, b=8] as [a@1:6] [b@1:8]\n"
      "buffer Y: f32 output Y[a=6, b=8] as [a@1:6] [b@1:8]\n"
      "kernel copy\n"
      "  registers t[6, 8]\n"
      "  for a in 0..6\n"
      "    for b in 0..8 vectorized\n"
      "      t[a, b] = X[a, b]\n"
      "  for a in 0..6\n"
      "    for b in 0..8 vectorized\n"
      "      Y[a, b] = t[5 - 1*a, 7 - 1*b]\n");
}

constexpr const char* kSharedPanel =
    "buffer A: f32 activation A[m=8, k=32] as [m@1:8] [k@1:32]\n"
    "buffer B: f32 constant B[k=32, n=32] as [k@1:32] [n@1:32]\n"
    "buffer C: f32 output C[m=8, n=32] as [m@1:8] [n@1:32]\n"
    "kernel gmm\n"
    "  for m in 0..8 bind thread.1\n"
    "    for n.0 in 0..8 bind thread.0\n"
    "      registers acc[4]\n"
    "      local panel[8, 32]\n"
    "      for n.1 in 0..4 vectorized\n"
    "        acc[n.1] = 0\n"
    "      for k.0 in 0..4\n"
    "        barrier\n"
    "        for n.1 in 0..4 vectorized\n"
    "          panel[m, 4*n.0 + n.1] = B[8*k.0 + m, 4*n.0 + n.1]\n"
    "        barrier\n"
    "        for k.1 in 0..8\n"
    "          for n.1 in 0..4 vectorized\n"
    "            acc[n.1] += A[m, 8*k.0 + k.1] * panel[k.1, 4*n.0 + n.1]\n"
    "      for n.1 in 0..4 vectorized\n"
    "        C[m, 4*n.0 + n.1] = acc[n.1]\n";

TEST_F(OpenclExecution, WorkItemsShareALocalTile) { EXPECT_DEVICE_AGREES(kSharedPanel); }

TEST(EmitOpenclTiles, LocalMemoryIsDeclaredAtTheStartAndHasALimit) {
  Target target = phone_like_target();
  target.local_memory_bytes = 1024;
  const auto source = emit_opencl(*parse_program(kSharedPanel), target);
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_NE(source->text.find("{\n  __local float panel[256] __attribute__((aligned(64)));\n"),
            std::string::npos)
      << source->text;
  target.local_memory_bytes = 1023;
  EXPECT_ERROR(emit_opencl(*parse_program(kSharedPanel), target),
               "kernel gmm: local tiles have 1024 bytes");
}

TEST_F(OpenclExecution, RegisterTileReadInOtherShapesThanItWasWritten) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=6, b=7] as [a@1:6] [b@1:7]\n"
      "buffer Y: f32 output Y[a=6, b=7] as [b@1:7] [a@1:6]\n"
      "buffer Z: f32 output Z[b=7] as [b@1:7]\n"
      "kernel transpose\n"
      "  registers t[6, 7]\n"
      "  for a in 0..6 unrolled\n"
      "    for b in 0..7 vectorized\n"
      "      t[a, b] = X[a, b]\n"
      "  for b in 0..7 unrolled\n"
      "    for a in 0..6 vectorized\n"
      "      Y[b, a] = t[a, b]\n"
      "  for b in 0..7 unrolled\n"
      "    t[2, b] += 1\n"
      "  for b in 0..3 vectorized\n"
      "    t[2, b + 2] = 9\n"
      "  for b in 0..5 vectorized\n"
      "    Z[b] = t[2, b + 1]\n"
      "  for b in 0..2 unrolled\n"
      "    Z[b + 5] = t[2, 6 - 1*b]\n");
}

TEST_F(OpenclExecution, EpiloguesWithinTheErrorOfTheirFunctions) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=64] as [a@1:64]\n"
      "buffer Y: f32 output Y[k=5, a=64] as [k@1:5] [a@1:64]\n"
      "kernel epilogues\n"
      "  for a.0 in 0..16 parallel\n"
      "    for a.1 in 0..4 vectorized\n"
      "      Y[0, 4*a.0 + a.1] = min(max(X[4*a.0 + a.1], 0), 3)\n"
      "      Y[1, 4*a.0 + a.1] = tanh(X[4*a.0 + a.1])\n"
      "      Y[2, 4*a.0 + a.1] = 1 / (1 + exp(0 - X[4*a.0 + a.1]))\n"
      "      Y[3, 4*a.0 + a.1] = "
      "0.5 * X[4*a.0 + a.1] * (1 + erf(X[4*a.0 + a.1] * 0.7071067811865476))\n"
      "      Y[4, 4*a.0 + a.1] = X[4*a.0 + a.1] * -0.25\n",
      2e-6);
}

TEST_F(OpenclExecution, HalfStorageComputesInFloat) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f16 activation X[a=6, b=12] as [a@1:6] [b@1:12]\n"
      "buffer S: f16 constant S[a=6, b=4] as [a@1:6] [b@1:4] ; scope texture\n"
      "buffer Y: f16 output Y[a=6, b=12] as [a@1:6] [b@1:12]\n"
      "buffer Z: f16 output Z[b=12, a=6] as [b@1:12] [a@1:6]\n"
      "kernel scale\n"
      "  for a in 0..6 parallel\n"
      "    for b in 0..12 vectorized\n"
      "      Y[a, b] = X[a, b] * 0.3 + S[a, 2]\n"
      "      Z[b, a] = X[a, b] + X[a, 0]\n");
}

TEST_F(OpenclExecution, NeighboursOfAWrittenOutLoopComeInVectorsThatStayInside) {
  // Y: read whole. Z: each element has a guard of its own. V: one guard for the four of them.
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=5, b=8] as [a@1:5] [b@1:8]\n"
      "buffer H: f16 activation H[a=5, b=6] as [a@1:5] [b@1:6]\n"
      "buffer Y: f32 output Y[a=5, b=8] as [a@1:5] [b@1:8]\n"
      "buffer Z: f32 output Z[a=5, b=8] as [a@1:5] [b@1:8]\n"
      "buffer V: f32 output V[a=7, b=8] as [a@1:7] [b@1:8]\n"
      "kernel copy\n"
      "  for b.0 in 0..2\n"
      "    for b.1 in 0..4 unrolled\n"
      "      for a in 0..5 unrolled\n"
      "        Y[a, 4*b.0 + b.1] = X[a, 4*b.0 + b.1] + H[a, 2*b.0 + b.1]\n"
      "        Z[a, 4*b.0 + b.1] = (0 <= 4*b.0 + b.1 + 2 < 8) ? X[a, 4*b.0 + b.1 + 2] : 0.25\n"
      "      for a in 0..7 unrolled\n"
      "        V[a, 4*b.0 + b.1] = (0 <= a + 3*b.0 - 1 < 5) ? X[a + 3*b.0 - 1, 4*b.0 + b.1] : "
      "0.5\n");
}

struct Scopes {
  const char *x, *w, *y;
};

class OpenclImages : public ::testing::TestWithParam<Scopes> {
 protected:
  void SetUp() override {
    DOVETAIL_REQUIRE_OPENCL();
    if (!(*first_device())->target().has_images) GTEST_SKIP() << "the device has no images";
  }
};

TEST_P(OpenclImages, ConvolutionIsTheSameInEveryScope) {
  const Scopes& scopes = GetParam();
  EXPECT_DEVICE_AGREES(with_scopes(kConvolution, scopes.x, scopes.w, scopes.y));
}

TEST_P(OpenclImages, ConvolutionThatGuardsItsReadsIsTheSameInEveryScope) {
  const Scopes& scopes = GetParam();
  EXPECT_DEVICE_AGREES(with_scopes(kGuardedConvolution, scopes.x, scopes.w, scopes.y));
}

INSTANTIATE_TEST_SUITE_P(
    All, OpenclImages,
    ::testing::Values(Scopes{"", "", ""}, Scopes{"texture", "", ""}, Scopes{"", "texture", ""},
                      Scopes{"", "", "texture"}, Scopes{"texture", "texture:weight", "texture"},
                      Scopes{"texture:nhwc", "texture:nhwc", "texture:nhwc"},
                      Scopes{"texture:weight", "texture:weight", "texture:weight"},
                      Scopes{"texture:array", "texture:weight:array", "texture:nhwc:array"},
                      Scopes{"texture:nhwc:array", "texture:array", "texture:array"}));

TEST_F(OpenclExecution, GuardsThatTheSamplerReplacesStillGiveZero) {
  for (const char* scope : {"texture", "texture:weight", "texture:nhwc", "texture:array", ""}) {
    const std::string marked = *scope == '\0' ? "" : " ; scope " + std::string(scope);
    EXPECT_DEVICE_AGREES(
        "buffer X: f32 activation X[n=2, h=6, w=6, c=8] as [n@1:2] [h@1:6] [c@4:2 =c.0] [w@1:6] "
        "[c@1:4 =c.1]" +
        marked +
        "\n"
        "buffer Y: f32 output Y[n=2, h=10, w=10, c=8] as [n@1:2] [h@1:10] [w@1:10] [c@1:8]\n"
        "kernel copy\n"
        "  for n in 0..2\n"
        "    for h in 0..10 bind group.0\n"
        "      for w in 0..10 bind thread.0\n"
        "        for c.0 in 0..2 unrolled\n"
        "          for c.1 in 0..4 vectorized\n"
        "            Y[n, h, w, 4*c.0 + c.1] = (0 <= h - 2 < 6 and 0 <= w - 2 < 6) ? "
        "X[n, h - 2, c.0, w - 2, c.1] : 0\n");
  }
}

TEST_F(OpenclExecution, ScalarReadsOfAnImageSelectAComponent) {
  EXPECT_DEVICE_AGREES(
      "buffer X: f32 activation X[a=5, b=12] as [a@1:5] [b@4:3 =b.0] [b@1:4 =b.1] ; scope texture\n"
      "buffer Y: f32 output Y[a=5, b=12] as [a@1:5] [b@1:12]\n"
      "buffer Z: f32 output Z[a=5, b=12] as [a@1:5] [b@1:12]\n"
      "buffer V: f32 output V[a=5, b=12] as [a@1:5] [b@1:12]\n"
      "kernel copy\n"
      "  for a in 0..5 parallel\n"
      "    for b.0 in 0..3\n"
      "      for b.1 in 0..4\n"
      "        Y[a, 4*b.0 + b.1] = X[a, b.0, b.1]\n"
      "      for b.1 in 0..4 unrolled\n"
      "        Z[a, 4*b.0 + b.1] = X[a, b.0, 3 - 1*b.1]\n"
      "    for b in 0..12 vectorized\n"
      "      V[a, b] = X[a, b div 4, b mod 4] + X[a, 1, 2]\n");
}

}  // namespace
}  // namespace dovetail::testing
