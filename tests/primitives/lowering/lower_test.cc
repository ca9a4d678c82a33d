// SPDX-License-Identifier: Apache-2.0
//
// Traces of whole operators, and the programs that they lower to.
#include "primitives/lowering/lower.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;

::testing::AssertionResult right(std::string_view spec, std::string_view trace,
                                 const Target& target = cpu()) {
  const Result<Program> program = lowered(spec, trace, target);
  if (!program) return ::testing::AssertionFailure() << program.error().message;
  return computes(operator_of(spec), *program) << "\n" << print(*program);
}

// Spatial tiles of 4 x 14 whose windows are stored by themselves, register tiles of 7 x 2 vectors.
constexpr const char* kTiledConvolution =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)"
    " unfold(axis=h, size=6, stride=4) unfold(axis=w, size=16, stride=14) split(axis=i, factor=16)"
    " reorder(i.0, n, h.0, w.0, h.1, w.1, i.1)\n"
    "layout W: split(axis=o, factor=32) split(axis=i, factor=16)"
    " reorder(o.0, i.0, kh, kw, i.1, o.1)\n"
    "layout Y: split(axis=o, factor=16) split(axis=h, factor=4) split(axis=w, factor=14)"
    " reorder(o.0, n, h.0, w.0, h.1, w.1, o.1)\n"
    "loops: split(loop=o.0, factor=2) ; split(loop=w.1, factor=7) ; split(loop=i, factor=16)"
    " ; split(loop=i.1, factor=4) ; reorder(o.0.0, h.0, w.0, h.1, w.1.0, i.0, kh, kw, i.1.0,"
    " i.1.1, w.1.1, o.0.1, o.1) ; unroll(i.1.1) ; unroll(w.1.1) ; unroll(o.0.1) ; vectorize(o.1)"
    " ; cache_write(tensor=Y, at=w.1.0) ; parallel(o.0.0)\n";

TEST(Lower, ConvolutionWithUnfoldedInput) {
  const char* spec = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1";
  const Result<Program> program = lowered(spec, kTiledConvolution);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/convolution_unfolded");
  EXPECT_TRUE(right("c2d:ci=32,co=64,h=8,w=28,k=3,p=1", kTiledConvolution));
  EXPECT_EQ(executed_fmas(*program), 64.0 * 64 * 56 * 56 * 9);
}

constexpr const char* kPackedPanels =
    "layout X: split(axis=k, factor=16) reorder(b, k.0, m, k.1)\n"
    "layout W: split(axis=k, factor=16) split(axis=n, factor=32) reorder(b, k.0, n.0, k.1, n.1)\n"
    "layout Y: split(axis=n, factor=16) reorder(b, n.0, m, n.1)\n"
    "loops: split(loop=n.0, factor=2) ; split(loop=m, factor=64) ; split(loop=m.1, factor=8)"
    " ; split(loop=k, factor=16) ; split(loop=k.1, factor=4)"
    " ; reorder(b, n.0.0, m.0, m.1.0, k.0, k.1.0, k.1.1, m.1.1, n.0.1, n.1)"
    " ; unroll(k.1.1) ; unroll(m.1.1) ; unroll(n.0.1) ; vectorize(n.1)"
    " ; cache_write(tensor=Y, at=m.1.0) ; fuse(b, n.0.0) ; parallel(b_n.0.0)\n";

TEST(Lower, MatrixProductWithPackedPanels) {
  const Result<Program> program = lowered("gmm:m=512,n=512,k=512", kPackedPanels);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/matrix_product_panels");
  EXPECT_TRUE(right("gmm:m=64,n=64,k=32", kPackedPanels));
  EXPECT_EQ(executed_fmas(*program), 512.0 * 512 * 512);
}

// The top of the reduction outside the tile: the first round starts from zero, the others from the
// partial sums in Y, and only the last one applies the epilogue.
TEST(Lower, PartialSumsGoThroughTheOutput) {
  const char* spec = "gmm:m=6,n=8,k=12+bias+relu";
  const Result<Program> program =
      lowered(spec,
              "loops: split(loop=k, factor=4) ; split(loop=m, factor=2)"
              " ; reorder(m.0, k.0, k.1, m.1, n) ; vectorize(n) ; cache_write(tensor=Y, at=k.0)"
              " ; parallel(m.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/partial_sums");
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(Lower, WithoutCacheWriteTheSumLivesInTheOutput) {
  const char* spec = "gmm:m=2,n=3,k=4+relu";
  const Result<Program> program = lowered(spec, "loops: reorder(m, k, n)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/sum_in_output");
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(Lower, WithoutATraceTheLoopsAreTheAxes) {
  const char* spec = "c2d:ci=3,co=4,h=5,w=5,k=3,s=2,p=1+bias";
  const Result<Program> program = lowered(spec, "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/no_trace");
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(Lower, FusedLoopsOverPartialTiles) {
  EXPECT_TRUE(right("c2d:n=2,ci=3,co=7,h=9,w=7,k=3,p=1+bias+relu",
                    "layout X: pad(axis=h, before=1, after=2) pad(axis=w, before=1, after=2)\n"
                    "layout W: pad(axis=o, before=0, after=1) split(axis=o, factor=4)"
                    " reorder(o.0, i, kh, kw, o.1)\n"
                    "layout Y: pad(axis=o, before=0, after=1) pad(axis=h, before=0, after=1)"
                    " pad(axis=w, before=0, after=1) split(axis=o, factor=4)"
                    " reorder(n, o.0, h, w, o.1)\n"
                    "loops: split(loop=h, factor=5) ; split(loop=w, factor=4) ; fuse(n, o.0)"
                    " ; fuse(n_o.0, h.0) ; reorder(n_o.0_h.0, h.1, w.0, kh, kw, i, w.1, o.1)"
                    " ; fuse(kh, kw) ; unroll(w.1) ; vectorize(o.1) ; cache_write(tensor=Y, at=w.0)"
                    " ; parallel(n_o.0_h.0)\n"));
}

TEST(Lower, FusedStorage) {
  EXPECT_TRUE(right("gmm:b=2,m=6,n=4,k=8+add",
                    "layout X: fuse(b, m)\n"
                    "layout W: reorder(k, b, n) fuse(b, n)\n"
                    "layout Y: split(axis=m, factor=3) fuse(b, m.0)\n"
                    "loops: cache_write(tensor=Y, at=m.1) ; parallel(b_m.0)\n"));
}

TEST(Lower, LoopsBoundToGroupsAndWorkItems) {
  const char* spec = "c2d:ci=8,co=8,h=6,w=10,k=3,p=1+relu";
  const Result<Program> program = lowered(
      spec,
      "layout X: pad(axis=h, before=1, after=1) split(axis=i, factor=4) reorder(n, i.0, h, w, i.1)"
      " ; scope texture\n"
      "layout W: split(axis=o, factor=4) reorder(o.0, i, kh, kw, o.1) ; scope texture:weight\n"
      "layout Y: split(axis=o, factor=4) reorder(n, o.0, h, w, o.1)\n"
      "loops: split(loop=w, factor=2) ; split(loop=i, factor=4)"
      " ; reorder(n, o.0, h, w.0, i.0, kh, kw, i.1, w.1, o.1) ; fuse(n, o.0)"
      " ; unroll(i.1) ; unroll(w.1) ; vectorize(o.1) ; bind(n_o.0, group.0) ; bind(h, group.1)"
      " ; bind(w.0, thread.0) ; cache_write(tensor=Y, at=w.0)\n",
      opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/bound_loops");
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(Lower, APaddingPassMayHaveLoopsOfItsOwn) {
  const char* spec = "c1d:ci=4,co=4,w=8,k=3,p=1";
  const Result<Program> program =
      lowered(spec,
              "layout X: pad(axis=w, before=1, after=1) reorder(w, i)\n"
              "loops X.pad: split(loop=w, factor=5) ; reorder(i, w.0, w.1) ; unroll(w.0)"
              " ; parallel(i)\n"
              "loops: cache_write(tensor=Y, at=o)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/padding_loops");
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(Lower, BothOperandsArePaddedWhenBothAreActivations) {
  EXPECT_TRUE(right("gmm:m=5,n=7,k=6,b_const=0",
                    "layout X: pad(axis=m, before=0, after=1) pad(axis=k, before=0, after=2)\n"
                    "layout W: pad(axis=k, before=0, after=2) pad(axis=n, before=0, after=1)\n"
                    "layout Y: pad(axis=m, before=0, after=1) pad(axis=n, before=0, after=1)\n"
                    "loops: split(loop=m, factor=3) ; split(loop=k, factor=4) ; vectorize(n)"
                    " ; reorder(m.0, k.0, k.1, m.1, n) ; cache_write(tensor=Y, at=m.0)\n"));
}

TEST(Lower, FailsOnAnUnknownTensorOrStage) {
  EXPECT_ERROR(lowered("gmm:m=2,n=2,k=2", "layout Z: reorder(m, k)\n"),
               "layout Z: no such tensor, expected one of X, W, Y");
  EXPECT_ERROR(lowered("gmm:m=2,n=2,k=2", "loops X.pad: unroll(k)\n"),
               "loops X.pad: no such stage");
}

TEST(Lower, FailsWhenAHalfSumWouldWaitInStorage) {
  EXPECT_ERROR(
      lowered("gmm:m=4,n=4,k=6,dtype=f16", "loops: reorder(m, n, k)\n"),
      "stage gmm: the sum over k waits in f16 storage of Y and would be rounded every time; "
      "expected cache_write outside of all its reduction loops");
  EXPECT_ERROR(lowered("gmm:m=4,n=4,k=6,dtype=f16",
                       "loops: split(loop=k, factor=2) ; reorder(k.0, m, k.1, n) ; "
                       "cache_write(tensor=Y, at=m)\n"),
               "the sum over k.0 waits in f16 storage of Y");
  EXPECT_TRUE(lowered("gmm:m=4,n=4,k=6,dtype=f16",
                      "loops: reorder(m, k, n) ; cache_write(tensor=Y, at=m)\n"));
}

TEST(Lower, KeepsHalfSumsInARegisterWithoutATrace) {
  const Program program = lowered("gmm:m=4,n=4,k=6,dtype=f16", "").value();
  EXPECT_NE(print(program).find("registers acc"), std::string::npos) << print(program);
}

TEST(Lower, FailsOnAnUnfoldedOutput) {
  EXPECT_ERROR(
      lowered("gmm:m=5,n=2,k=2", "layout Y: unfold(axis=m, size=3, stride=2)\n"),
      "layout Y: an output cannot be unfolded, its elements would be stored more than once");
}

TEST(Lower, FailsOnAScopeThatTheTargetLacks) {
  EXPECT_ERROR(lowered("gmm:m=5,n=4,k=4", "layout X: reorder(b, m, k) ; scope texture\n"),
               "layout X: scope texture: target cpu has no images");
}

}  // namespace
}  // namespace dovetail
