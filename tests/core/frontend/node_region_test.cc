// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/node_region.h"

#include <gtest/gtest.h>

#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// The text of the one node of a graph, or why there is none.
std::string text_of(const std::string& tensors, const std::string& node) {
  const Graph graph =
      right(parse_graph("graph g\n" + tensors + "node n = " + node + "\noutput y\n", "g"));
  const NodeRegion region = right(node_region(graph, graph.nodes.front()));
  if (!region.reason.empty()) return "none: " + region.reason;
  if (region.spec.empty()) return "view";
  EXPECT_TRUE(region.spec.value()) << region.spec.text();
  return region.spec.text();
}

TEST(NodeRegion, RepeatsOperandsAsNumpyDoes) {
  EXPECT_EQ(text_of("input x: f32[2,1,4]\ninput s: f32[3,1]\n",
                    "elementwise Sub (x, s) -> y: f32[2,3,4]"),
            "Y[a0,a1,a2]=A[a0,0,a2]-B[a1,0]:a0=2,a1=3,a2=4,A=2x1x4,B=3x1");
  EXPECT_EQ(text_of("input x: f32[2]\ninput s: f32[]\n", "elementwise Add (x, s) -> y: f32[2]"),
            "Y[a0]=A[a0]+B[0]:a0=2,A=2,B=1");
  // As before operator set 7: a slope a channel.
  EXPECT_EQ(text_of("input x: f32[2,3,4]\ninput s: f32[3]\n",
                    "elementwise PRelu (x, s) -> y: f32[2,3,4]"),
            "Y[a0,a1,a2]=select(A[a0,a1,a2]<0,A[a0,a1,a2]*B[a1],A[a0,a1,a2]):"
            "a0=2,a1=3,a2=4,A=2x3x4,B=3");
  EXPECT_EQ(text_of("input x: f32[2]\ninput s: f32[3]\n", "elementwise Add (x, s) -> y: f32[2]"),
            "none: operands of other shapes than its output");
}

TEST(NodeRegion, PutsAttributesIntoTheText) {
  EXPECT_EQ(text_of("input x: f32[2]\n", "elementwise LeakyRelu {alpha=0.25} (x) -> y: f32[2]"),
            "Y[a0]=select(A[a0]<0,0.25*A[a0],A[a0]):a0=2,A=2");
  EXPECT_EQ(
      text_of("input x: f32[1,2,5]\n",
              "reduction MaxPool {kernel_shape=[3],pads=[1,1],strides=[2]} (x) -> y: f32[1,2,3]"),
      "Y[a0,a1,a2]=max(A[a0,a1,2*a2+1*r0-1]):a0=1,a1=2,a2=3,r0=3,A=1x2x5");
}

TEST(NodeRegion, OfSoftmaxIsThatOfItsOperatorSet) {
  const std::string x = "input x: f32[2,3,4]\n";
  EXPECT_EQ(text_of(x, "reduction Softmax {axis=1} (x) -> y: f32[2,3,4]"),
            "M[a0,z,a2]max=A[a0,a1,a2];E[a0,a1,a2]=exp(A[a0,a1,a2]-M[a0,0,a2]);"
            "D[a0,z,a2]+=E[a0,a1,a2];Y[a0,a1,a2]=E[a0,a1,a2]/D[a0,0,a2]:"
            "a0=2,a1=3,a2=4,z=1,A=2x3x4");
  EXPECT_EQ(text_of(x, "reduction Softmax {axis=1,flattened=1} (x) -> y: f32[2,3,4]"),
            "M[a0,z]max=A[a0,a1,a2];E[a0,a1,a2]=exp(A[a0,a1,a2]-M[a0,0]);"
            "D[a0,z]+=E[a0,a1,a2];Y[a0,a1,a2]=E[a0,a1,a2]/D[a0,0]:a0=2,a1=3,a2=4,z=1,A=2x3x4");
}

TEST(NodeRegion, TakesWhatShapesTell) {
  EXPECT_EQ(text_of("input x: f32[2,3]\n",
                    "data_movement Split {axis=1} (x) -> y: f32[2,2], q: f32[2,1]"),
            "Y[a0,a1]=A[a0,a1];Y1[a0,s1]=A[a0,s1+2]:a0=2,a1=2,s1=1,A=2x3");
  EXPECT_EQ(
      text_of("input x: i32[2,3]\ninput n: i64[2]\n", "data_movement Tile (x, n) -> y: i32[2,6]"),
      "Y[a0,a1]=A[a0,a1%3]:a0=2,a1=6,A=2x3xi32,Y=i32");
  EXPECT_EQ(
      text_of("input x: f32[2,3]\ninput n: i64[1]\n", "reduction ReduceSum (x, n) -> y: f32[1,3]"),
      "Y[a0,a1]=sum(A[r0,a1]):a0=1,a1=3,r0=2,A=2x3");
  EXPECT_EQ(text_of("input x: f32[3,3]\ninput n: i64[1]\n",
                    "reduction ReduceSum {keepdims=0} (x, n) -> y: f32[3]"),
            "none: axes that are only known at run time");
}

// A file states shapes that inference does not know.
TEST(NodeRegion, RefusesTensorsOfAnotherRankThanTheOutput) {
  EXPECT_EQ(text_of("input x: f32[]\n", "data_movement Concat {axis=0} (x, x) -> y: f32[8,4]"),
            "none: an input of rank 0 beside an output of rank 2");
  EXPECT_EQ(text_of("input x: f32[]\ninput p: i64[2]\n", "data_movement Pad (x, p) -> y: f32[4]"),
            "none: an input of rank 0 beside an output of rank 1");
  EXPECT_EQ(text_of("input x: f32[2,3]\n", "reduction Softmax {axis=0} (x) -> y: f32[6]"),
            "none: an input of rank 2 beside an output of rank 1");
  EXPECT_EQ(text_of("input x: i8[]\ninput w: i8[1,1,2,2]\n",
                    "complex ConvInteger (x, w) -> y: i32[1,1,2,2]"),
            "none: operands of other ranks than its output");
  EXPECT_EQ(text_of("input x: i8[2,2]\ninput w: i8[1,2,2]\n",
                    "complex MatMulInteger (x, w) -> y: i32[2,2]"),
            "none: operands of more axes than its output");
  EXPECT_EQ(text_of("input x: f32[4]\ninput i: i64[2]\n",
                    "data_movement Gather {axis=0} (x, i) -> y: f32[]"),
            "none: an output of another rank");
  EXPECT_EQ(
      text_of("input x: f32[4]\ninput i: i64[]\n", "data_movement GatherND (x, i) -> y: f32[4]"),
      "none: indices without an axis");
  EXPECT_EQ(text_of("input x: f32[4]\ninput i: i64[]\n",
                    "data_movement ScatterND (x, i, x) -> y: f32[4]"),
            "none: indices without an axis");
  EXPECT_EQ(text_of("input x: f32[4]\n", "data_movement Trilu (x) -> y: f32[4]"),
            "none: of a vector");
  EXPECT_EQ(text_of("input x: f32[2]\ninput t: i64[2]\n", "data_movement EyeLike (x) -> y: f32[2]"),
            "none: no matrix");
}

TEST(NodeRegion, RefusesNumbersForOtherAxes) {
  const std::string x = "input x: f32[4,4]\ninput one: i64[1]\ninput two: i64[2]\n";
  EXPECT_EQ(text_of(x, "data_movement Slice (x, two, two, one) -> y: f32[2,4]"),
            "none: starts, axes and steps of other lengths");
  EXPECT_EQ(text_of(x, "data_movement Trilu (x, two) -> y: f32[4,4]"),
            "none: a diagonal that is not one number");
  EXPECT_EQ(text_of("input x: f32[2,3]\ninput scales: f32[]\n",
                    "data_movement Upsample (x, scales) -> y: f32[4,3]"),
            "none: scales of other axes");
}

TEST(NodeRegion, RefusesAViewOfAShapeThatNobodyKnows) {
  EXPECT_EQ(text_of("input x: f32[2,3]\n", "data_movement Flatten (x) -> y: f32[?]"),
            "none: a shape that is only known at run time");
}

TEST(NodeRegion, ReadsWhatIsGivenAtRunTime) {
  EXPECT_EQ(text_of("input x: f32[5]\ninput s: i64[1]\ninput e: i64[1]\n",
                    "data_movement Slice (x, s, e) -> y: f32[3]"),
            "Y[a0]=A[clamp(min(max(select(B[0]<0,B[0]+5,B[0]),0),select(1<0,4,5))+(1)*a0,0,4)]:"
            "a0=3,A=5,B=1xi64");
  EXPECT_EQ(text_of("input x: f32[5]\n",
                    "data_movement Slice {ends=[0],starts=[-1],steps=[-2]} (x) -> y: f32[2]"),
            "Y[a0]=A[-2*a0+4]:a0=2,A=5");
}

TEST(NodeRegion, SumsInRealNumbersWhateverTheOutputIs) {
  EXPECT_EQ(text_of("input x: i32[2,3]\n", "reduction ReduceSum {axes=[1]} (x) -> y: i32[2,1]"),
            "X0[a0,a1]=sum(A[a0,r1]);Y[a0,a1]=integer(X0[a0,a1]):"
            "a0=2,a1=1,r1=3,A=2x3xi32,Y=i32");
  EXPECT_EQ(text_of("input x: f32[2,3]\n", "reduction ArgMax {axis=1} (x) -> y: i64[2,1]"),
            "M[a0,a1]=max(A[a0,r]);X0[a0,a1]=min(select(A[a0,r]==M[a0,a1],r,3));"
            "Y[a0,a1]=integer(X0[a0,a1]):a0=2,a1=1,r=3,A=2x3,Y=i64");
}

TEST(NodeRegion, CountsTheTapsOfAMean) {
  const std::string x = "input x: f32[1,1,4]\n";
  EXPECT_EQ(text_of(x, "reduction AveragePool {kernel_shape=[2],pads=[1,0]} (x) -> y: f32[1,1,4]"),
            "Y[a0,a1,a2]=sum(A[a0,a1,1*a2+1*r0-1])/(1*(min(1*a2-1+2,4)-max(1*a2-1,0))):"
            "a0=1,a1=1,a2=4,r0=2,A=1x1x4");
  EXPECT_EQ(text_of(x,
                    "reduction AveragePool {count_include_pad=1,kernel_shape=[2],pads=[1,0]} "
                    "(x) -> y: f32[1,1,4]"),
            "Y[a0,a1,a2]=sum(A[a0,a1,1*a2+1*r0-1])/2:a0=1,a1=1,a2=4,r0=2,A=1x1x4");
}

TEST(NodeRegion, LeavesWhatItDoesNotSay) {
  const std::string x = "input x: f32[2,3]\n";
  EXPECT_EQ(text_of(x, "data_movement Reshape (x) -> y: f32[3,2]"), "view");
  EXPECT_EQ(text_of(x, "elementwise Gelu {approximate=\"erfc\"} (x) -> y: f32[2,3]"),
            "none: approximated by erfc");
  EXPECT_EQ(text_of("input x: u64[2]\n", "elementwise Relu (x) -> y: u64[2]"),
            "none: a tensor of u64");
  EXPECT_EQ(text_of(x, "data_movement NonZero (x) -> y: i64[2,3]"),
            "none: an output whose shape depends on data");
  EXPECT_EQ(text_of(x, "unknown Loop (x) -> y: f32[2,3]"), "none: control flow");
  EXPECT_EQ(text_of(x, "unknown Odd (x) -> y: f32[2,3]"), "none: an operator without a rule");
}

}  // namespace
}  // namespace dovetail
