// SPDX-License-Identifier: Apache-2.0
//
// Some stages cannot become a nest, as these tests show. The nests themselves are in lower_test.cc.
#include "primitives/lowering/nest/build_nest.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::lowered;
using testing::operator_of;

TEST(BuildNest, FailsWhenLanesAreNotNeighbours) {
  EXPECT_ERROR(lowered("gmm:m=4,n=4,k=4", "loops: reorder(k, n, m) ; vectorize(m)\n"),
               "vectorized loop m: lanes of Y are 4 elements apart, expected 0 or 1; the axis must "
               "be innermost in its layout");
  EXPECT_ERROR(lowered("gmm:m=4,n=4,k=4",
                       "layout Y: reorder(n, m)\n"
                       "loops: reorder(k, n, m) ; vectorize(m)\n"),
               "vectorized loop m: lanes of X are 4 elements apart");
}

// Rows of X are read, not written, by every second column; where that depends on the column, not.
TEST(BuildNest, LanesMayReadEverySecondElement) {
  const Operator op = operator_of("c1d:ci=2,co=1,w=8,k=3,s=2");
  const char* const loops = "loops: reorder(o, i, kw, w) ; vectorize(w)\n";
  const auto program = lowered(op, *parse_trace(loops), testing::cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(op, *program));
  EXPECT_ERROR(lowered("c1d:ci=2,co=1,w=8,k=3,s=2,p=1", loops),
               "vectorized loop w: lanes of X are 2 elements apart, expected 0 or 1");
  EXPECT_ERROR(lowered("c1d:ci=2,co=1,w=9,k=3,s=3", loops),
               "vectorized loop w: lanes of X are 3 elements apart, expected 0, 1 or 2");
}

TEST(BuildNest, FailsWhenAnIndexDividesTheLanes) {
  EXPECT_ERROR(lowered("gmm:m=4,n=8,k=4",
                       "layout W: split(axis=n, factor=4) reorder(n.0, k, n.1)\n"
                       "loops: reorder(k, n) ; vectorize(n)\n"),
               "vectorized loop n: index (n mod 4) divides loop n of W");
}

// A split alone moves nothing, yet its index divides the lanes.
TEST(BuildNest, FailsOnACutThatTheLoopsDoNotMake) {
  EXPECT_ERROR(lowered("gmm:m=4,n=8,k=4",
                       "layout W: split(axis=n, factor=4)\n"
                       "loops: reorder(k, n) ; vectorize(n)\n"),
               "vectorized loop n: index (n mod 4) divides loop n of W");
}

TEST(BuildNest, MultipliesBoundsOutForTheLanes) {
  const char* spec = "c2d:ci=2,co=3,h=4,w=6,k=3,p=1";
  const Result<Program> program =
      lowered(spec,
              "layout X: pad(axis=h, before=1, after=1) fuse(h, w)\n"
              "loops X.pad: split(loop=h_w, factor=12) ; vectorize(h_w.1)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("(6 <= 12*h_w.0 + h_w.1 < 30) ? X[0, i, 12*h_w.0 + h_w.1 - 6]"),
            std::string::npos)
      << print(*program);
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

TEST(BuildNest, FailsWhenABoundDividesTheLanes) {
  EXPECT_ERROR(lowered("c2d:ci=2,co=3,h=4,w=6,k=3,p=1",
                       "layout X: pad(axis=w, before=1, after=1) fuse(h, w)\n"
                       "loops X.pad: vectorize(h_w)\n"),
               "vectorized loop h_w: ");
}

TEST(BuildNest, FailsWhenAnImageIsNotWrittenInTexels) {
  const std::string layout = "layout Y: split(axis=n, factor=4) ; scope texture\n";
  const auto program = [&](const std::string& loops) {
    return lowered("gmm:m=4,n=8,k=4", layout + "loops: " + loops + "\n",
                   testing::opencl_with_images());
  };
  EXPECT_ERROR(
      program("cache_write(tensor=Y, at=n.0)"),
      "layout Y: scope texture is written in whole texels, expected its innermost axis n.1 "
      "vectorized");
  EXPECT_ERROR(program("reorder(k, n.1) ; vectorize(n.1)"),
               "layout Y: scope texture cannot hold a sum that grows, expected cache_write");
  EXPECT_ERROR(program("reorder(m, n.0, k, n.1) ; vectorize(n.1) ; cache_write(tensor=Y, at=k)"),
               "expected cache_write outside of all its reduction loops");
}

TEST(BuildNest, IgnoresCacheWriteWhereNothingIsSummed) {
  const char* spec = "gmm:m=4,n=4,k=1+relu";
  const Result<Program> program = lowered(spec, "loops: cache_write(tensor=Y, at=m)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(print(*program).find("registers"), std::string::npos);
  EXPECT_TRUE(computes(operator_of(spec), *program));
}

}  // namespace
}  // namespace dovetail
