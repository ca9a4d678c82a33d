// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/emit.h"

#include <gtest/gtest.h>

#include "tests/core/codegen/opencl/execution.h"
#include "tests/core/codegen/opencl/programs.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

Result<OpenclSource> emitted(std::string_view text) {
  const Program program = TRY(parse_program(text));
  return emit_opencl(program, phone_like_target());
}

std::string text_of(std::string_view program) {
  const auto source = emitted(program);
  return source ? source->text : "error: " + source.error().message;
}

TEST(EmitOpencl, WritesAMatrixProductAsTheGoldenText) {
  EXPECT_GOLDEN(text_of(kMatrixProduct), "core/codegen/opencl/matrix_product");
}

TEST(EmitOpencl, WritesAConvolutionOnBuffersAsTheGoldenText) {
  EXPECT_GOLDEN(text_of(with_scopes(kConvolution, "", "", "")),
                "core/codegen/opencl/convolution_buffers");
}

TEST(EmitOpencl, WritesAConvolutionOnImagesAsTheGoldenText) {
  EXPECT_GOLDEN(text_of(with_scopes(kConvolution, "texture", "texture:weight", "texture:nhwc")),
                "core/codegen/opencl/convolution_images");
}

TEST(EmitOpencl, GivesGroupsTimesThreadsAndTheBuffersThatAreUsed) {
  const auto source = emitted(with_scopes(kConvolution, "", "", ""));
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_EQ(source->launches.size(), 2u);
  EXPECT_EQ(
      source->launches[0],
      (Launch{.name = "kernel_pad_X", .global = {2, 1, 1}, .buffers = {0, 1}, .written = {1}}));
  EXPECT_EQ(source->launches[1], (Launch{.name = "kernel_c2d",
                                         .global = {12, 1, 1},
                                         .local = {2, 1, 1},
                                         .buffers = {1, 2, 3, 4},
                                         .written = {4}}));
}

constexpr std::string_view kTwoKernels =
    "buffer X: f32 activation X[a=64] as [a@1:64]\n"
    "buffer T: f32 temporary T[a=64] as [a@1:64]\n"
    "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
    "kernel first\n"
    "  for a in 0..64 bind group.0\n    T[a] = X[a] + 1\n"
    "kernel second\n"
    "  for a in 0..64 bind group.0\n    Y[a] = max(T[a], X[a])\n";

// A driver's binary of a kernel is then of use to every candidate that has it.
TEST(EmitOpencl, GivesKernelsApartWithWhatEachUses) {
  const Program one = right(parse_program(kTwoKernels));
  std::string text(kTwoKernels);
  text.replace(text.find("X[a] + 1"), 8, "X[a] + 2");
  const Program other = right(parse_program(text));
  const OpenclSources ours =
      right(emit_opencl({&one, 1}, phone_like_target(), "p", KernelTexts::apart));
  ASSERT_EQ(ours.texts.size(), 2U);
  ASSERT_EQ(ours.launches.size(), 1U);
  ASSERT_EQ(ours.launches[0].size(), 2U);
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_NE(ours.texts[k].find("void " + ours.launches[0][k].name + "("), std::string::npos);
    EXPECT_EQ(ours.texts[k].find("void " + ours.launches[0][1 - k].name + "("), std::string::npos);
  }
  EXPECT_EQ(ours.texts[0].find("maximum_"), std::string::npos) << ours.texts[0];
  EXPECT_NE(ours.texts[1].find("float maximum_"), std::string::npos) << ours.texts[1];
  const OpenclSources theirs =
      right(emit_opencl({&other, 1}, phone_like_target(), "p", KernelTexts::apart));
  EXPECT_NE(ours.texts[0], theirs.texts[0]);
  EXPECT_EQ(ours.texts[1], theirs.texts[1]);
  const OpenclSources together = right(emit_opencl({&one, 1}, phone_like_target(), "p"));
  EXPECT_EQ(together.texts.size(), 1U);
  EXPECT_EQ(together.launches, ours.launches);
}

TEST(EmitOpencl, GivesTheSameTextTwice) {
  const std::string program = with_scopes(kConvolution, "texture", "texture", "texture");
  EXPECT_EQ(text_of(program), text_of(program));
}

TEST(EmitOpencl, RefusesF64WhereTheDeviceHasNone) {
  EXPECT_ERROR(emitted("buffer X: f64 activation X[h=5] as [h@1:5]\n"
                       "buffer Y: f32 output Y[h=5] as [h@1:5]\n"
                       "kernel k\n  for h in 0..5\n    Y[h] = X[h]\n"),
               "buffer X: the device has no f64 (cl_khr_fp64), expected another type or device");
}

TEST(EmitOpencl, RefusesWhatOnlyCachesOfACpuHeed) {
  const std::string buffers =
      "buffer X: f32 activation X[h=5] as [h@1:5]\nbuffer Y: f32 output Y[h=5] as [h@1:5]\n"
      "kernel k\n";
  EXPECT_ERROR(emitted(buffers + "  for h in 0..5\n    Y[h] = X[h] streaming\n"),
               "kernel k: Y is stored to past the caches; OpenCL C cannot say so");
  EXPECT_ERROR(emitted(buffers + "  for h in 0..5 prefetch X[h + 2] lines 1\n    Y[h] = X[h]\n"),
               "kernel k: loop h prefetches");
}

TEST(EmitOpencl, ClippedLoopsStartAndEndWhereTheirBoundsSay) {
  const std::string text = text_of(
      "buffer X: f32 activation X[h=5] as [h@1:5]\n"
      "buffer Y: f32 output Y[h=5] as [h@1:5]\n"
      "kernel k\n"
      "  for h in 0..5 bind group.0\n"
      "    registers acc[2]\n"
      "    acc[0] = 0\n"
      "    for k in 0..3 where 0 <= h + k - 1 < 5\n"
      "      acc[0] += X[h + k - 1]\n"
      "    for j in 0..2 unrolled\n"
      "      acc[0] += ((1 <= j < 2) ? X[j] : 0) * X[h]\n"
      "    Y[h] = acc[0]\n");
  EXPECT_NE(
      text.find("for (int k = max((int)(0), (int)(-h + 1)); k < min((int)(3), (int)(-h + 6)); "
                "++k) {"),
      std::string::npos)
      << text;
  // The product that is zero at j = 0 is not there.
  EXPECT_NE(text.find("fma("), std::string::npos) << text;
  EXPECT_EQ(text.find("fma("), text.rfind("fma(")) << text;
}

// Y[h, w, c] = X[h - 1, w - 1, c] with zeros outside, X an image in the given scope and order.
std::string shifted_copy(std::string_view axes, std::string_view indices, std::string_view scope) {
  return "buffer X: f32 activation X[n=1, h=6, w=6, c=4] as " + std::string(axes) + " ; scope " +
         std::string(scope) +
         "\n"
         "buffer Y: f32 output Y[h=8, w=8, c=4] as [h@1:8] [w@1:8] [c@1:4]\n"
         "kernel copy\n"
         "  for h in 0..8 bind group.0\n"
         "    for w in 0..8 bind thread.0\n"
         "      for c in 0..4 vectorized\n"
         "        Y[h, w, c] = (0 <= h - 1 < 6 and 0 <= w - 1 < 6) ? X[" +
         std::string(indices) + "] : 0\n";
}

TEST(EmitOpencl, DropsTheGuardThatTheSamplerMakesNeedless) {
  // texture: rows n*h, columns w: h is the outermost digit of the row while n = 1.
  const std::string both =
      text_of(shifted_copy("[n@1:1] [h@1:6] [w@1:6] [c@1:4]", "0, h - 1, w - 1, c", "texture"));
  EXPECT_EQ(both.find(" ? "), std::string::npos) << both;
}

TEST(EmitOpencl, KeepsTheGuardOfAnAxisThatSharesItsCoordinate) {
  // texture:weight: columns are h*w: w outside would be a pixel of another row.
  const std::string weight = text_of(
      shifted_copy("[n@1:1] [h@1:6] [w@1:6] [c@1:4]", "0, h - 1, w - 1, c", "texture:weight"));
  EXPECT_NE(weight.find("w - 1 >= 0 && w - 1 < 6 ? "), std::string::npos) << weight;
  EXPECT_NE(weight.find("h - 1 >= 0"), std::string::npos)
      << "w may carry into h: the row's guard must stay too\n"
      << weight;
}

std::string unrolled_copy(std::string_view value) {
  return "buffer X: f32 activation X[a=3, b=8] as [a@1:3] [b@1:8]\n"
         "buffer Y: f32 output Y[a=3, b=8] as [b@1:8] [a@1:3]\n"
         "kernel copy\n"
         "  for a in 0..3 bind group.0\n"
         "    for b in 0..8 unrolled\n"
         "      Y[b, a] = " +
         std::string(value) + "\n";
}

TEST(EmitOpencl, LoadsNeighboursAsOneVectorWhenAllOfThemAreRead) {
  const std::string all = text_of(unrolled_copy("X[a, b]"));
  EXPECT_NE(all.find("const float4 X_1 = *(__global const float4*)(X + 8*a + 4);"),
            std::string::npos)
      << all;
  const std::string one_guard = text_of(unrolled_copy("(0 <= a - 1 < 3) ? X[a - 1, b] : 0"));
  EXPECT_NE(one_guard.find("? *(__global const float4*)(X + 8*a - 8) : (float4)(0.0f)"),
            std::string::npos)
      << one_guard;
  const std::string own_guards = text_of(unrolled_copy("(0 <= a + b < 8) ? X[0, a + b] : 0"));
  EXPECT_EQ(own_guards.find("float4"), std::string::npos) << own_guards;
}

TEST(EmitOpencl, TakesANumberInABranchForAnIntegerWhereTheOtherBranchIsOne) {
  const std::string text = text_of(
      "buffer X: i16 activation X[b=2] as [b@1:2]\n"
      "buffer Y: i64 output Y[b=2] as [b@1:2]\n"
      "kernel least\n"
      "  for b in 0..2 unrolled\n"
      "    Y[b] = 5\n"
      "    Y[b] min= (0 <= b < 1) ? inf : X[b]\n");
  EXPECT_NE(text.find("LONG_MAX"), std::string::npos) << text;
  EXPECT_EQ(text.find("INFINITY"), std::string::npos) << text;
}

struct BadProgram {
  const char* name;
  std::string text;
  const char* message;
};

class EmitOpenclErrors : public ::testing::TestWithParam<BadProgram> {};

TEST_P(EmitOpenclErrors, NameTheNumberAndTheLimit) {
  EXPECT_ERROR(emitted(GetParam().text), GetParam().message);
}

std::string copy_program(const std::string& x, const std::string& y, const std::string& loops) {
  return "buffer X: f32 activation " + x + "\nbuffer Y: f32 output " + y + "\nkernel copy\n" +
         loops;
}

INSTANTIATE_TEST_SUITE_P(
    All, EmitOpenclErrors,
    ::testing::Values(
        BadProgram{"Texel",
                   copy_program("X[a=4, b=8] as [a@1:4] [b@1:8] ; scope texture",
                                "Y[a=4, b=8] as [a@1:4] [b@1:8]",
                                "  for a in 0..4\n    for b in 0..8\n      Y[a, b] = X[a, b]\n"),
                   "buffer X: the innermost axis b has extent 8, scope texture needs 4"},
        BadProgram{"Width",
                   copy_program("X[a=2, b=8193, c=4] as [a@1:2] [b@1:8193] [c@1:4] ; scope texture",
                                "Y[a=2] as [a@1:2]", "  for a in 0..2\n    Y[a] = X[a, 0, 0]\n"),
                   "buffer X: image width 8193 is over the limit 8192 of device phone"},
        BadProgram{"Rank",
                   copy_program("X[a=4] as [a@1:4] ; scope texture", "Y[a=4] as [a@1:4]",
                                "  for a in 0..4\n    Y[a] = X[a]\n"),
                   "an image needs at least 2 physical axes, found 1"},
        BadProgram{
            "WorkGroup",
            copy_program("X[a=320, b=4] as [a@1:320] [b@1:4]", "Y[a=320, b=4] as [a@1:320] [b@1:4]",
                         "  for a in 0..320 bind thread.0\n    for b in 0..4\n"
                         "      Y[a, b] = X[a, b]\n"),
            "work-group 320x1x1 is over the limit of 256 work-items of device phone"},
        BadProgram{
            "WorkItems",
            copy_program("X[a=65, b=4] as [a@1:65] [b@1:4]", "Y[a=65, b=4] as [a@1:65] [b@1:4]",
                         "  for a in 0..65 bind thread.2\n    for b in 0..4\n"
                         "      Y[a, b] = X[a, b]\n"),
            "kernel copy: 65 work-items along thread.2 are over the limit of 64 of device phone"},
        BadProgram{"ScalarTexels",
                   copy_program("X[a=4, b=4] as [a@1:4] [b@1:4]",
                                "Y[a=4, b=4] as [a@1:4] [b@1:4] ; scope texture",
                                "  for a in 0..4\n    for b in 0..4\n      Y[a, b] = X[a, b]\n"),
                   "image Y is stored in parts of a texel; vectorize its innermost axis b, of 4"},
        BadProgram{"ReadAndWritten",
                   copy_program("X[a=4, b=4] as [a@1:4] [b@1:4]",
                                "Y[a=4, b=4] as [a@1:4] [b@1:4] ; scope texture",
                                "  for a in 0..4\n    for b in 0..4 vectorized\n"
                                "      Y[a, b] = Y[a, b] + X[a, b]\n"),
                   "image Y is both read and written"},
        BadProgram{"Unrolled",
                   copy_program("X[a=100, b=100] as [a@1:100] [b@1:100]",
                                "Y[a=100, b=100] as [a@1:100] [b@1:100]",
                                "  for a in 0..100 unrolled\n    for b in 0..100 unrolled\n"
                                "      Y[a, b] = X[a, b]\n"),
                   "expand to more than 4096 statements"},
        BadProgram{"Outside",
                   copy_program("X[a=4, b=4] as [a@1:4] [b@1:4]", "Y[a=4, b=4] as [a@1:4] [b@1:4]",
                                "  for a in 0..4 bind group.0\n    Y[a, 0] = X[a, 0]\n    for b in "
                                "0..4 bind thread.0\n      Y[a, b] = X[a, b]\n"),
                   "a statement lies outside of a parallel or bound loop"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace dovetail::testing
