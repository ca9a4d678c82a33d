// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/node_region.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// The text of the one node of a graph; empty: there is none.
std::string text_of(const std::string& tensors, const std::string& node) {
  const Graph graph =
      right(parse_graph("graph g\n" + tensors + "node n = " + node + "\noutput y\n", "g"));
  const auto region = right(node_region(graph, graph.nodes.front()));
  if (!region) return "";
  if (region->text.empty()) return "view";
  EXPECT_TRUE(parse_region(region->text)) << region->text;
  return region->text;
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
            "");
}

TEST(NodeRegion, PutsAttributesIntoTheText) {
  EXPECT_EQ(text_of("input x: f32[2]\n", "elementwise LeakyRelu {alpha=0.25} (x) -> y: f32[2]"),
            "Y[a0]=select(A[a0]<0,0.25*A[a0],A[a0]):a0=2,A=2");
  EXPECT_EQ(
      text_of("input x: f32[1,2,5]\n",
              "reduction MaxPool {kernel_shape=[3],pads=[1,1],strides=[2]} (x) -> y: f32[1,2,3]"),
      "Y[a0,a1,a2]max=A[a0,a1,2*a2+1*r0-1]:a0=1,a1=2,a2=3,r0=3,A=1x2x5");
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

TEST(NodeRegion, LeavesWhatItDoesNotSay) {
  const std::string x = "input x: f32[2,3]\n";
  EXPECT_EQ(text_of(x, "data_movement Reshape (x) -> y: f32[3,2]"), "view");
  EXPECT_EQ(text_of(x, "elementwise Gelu {approximate=\"tanh\"} (x) -> y: f32[2,3]"), "");
  EXPECT_EQ(text_of("input x: f64[2]\n", "elementwise Relu (x) -> y: f64[2]"), "");
  EXPECT_EQ(text_of("input x: f32[1,1,4]\n",
                    "reduction AveragePool {kernel_shape=[2],pads=[1,0]} (x) -> y: f32[1,1,4]"),
            "");
}

}  // namespace
}  // namespace dovetail
