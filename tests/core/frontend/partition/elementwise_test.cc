// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/elementwise.h"

#include <gtest/gtest.h>

#include "core/frontend/computations/node_region.h"
#include "core/frontend/partition/partition.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::import_text;
using testing::right;

Partition parts_of(const std::string& text) { return right(partition(right(import_text(text)))); }

std::vector<std::string> texts_of(const Partition& parts) {
  std::vector<std::string> texts;
  for (const NodeRegion& region : parts.regions) texts.push_back(region.spec.text());
  return texts;
}

TEST(Elementwise, NodesBehindOneAnotherBecomeOne) {
  const Partition parts = parts_of(
      "g (float[1,4,8] x, float[4,1] s, float[4,1] t) => (y)"
      " { u = Mul(x, s) v = Add(t, u) y = Relu(v) }");
  EXPECT_EQ(
      texts_of(parts),
      (std::vector<std::string>{"Y[a0,a1,a2]=max(C[a1,0]+A[0,a1,a2]*B[a1,0],0):a0=1,a1=4,a2=8"}));
  EXPECT_EQ(parts.joined, (JoinedNodes{{"Mul_0", {"Add_1", "Relu_2"}}}));
  const Graph again = right(parse_graph(print(parts), "g.graph"));
  EXPECT_EQ(again, parts.graph);
  EXPECT_EQ(texts_of(right(partition(again))), texts_of(parts));
}

TEST(Elementwise, TwoNodesBeforeOneJoinItAndShareWhatTheyRead) {
  const Partition parts = right(
      partition(right(parse_graph("graph g\ninput x: f32[3,5]\nconstant half: f32[]\n"
                                  "node u = elementwise Mul (x, half) -> u: f32[3,5]\n"
                                  "node v = elementwise Sigmoid (x) -> v: f32[3,5]\n"
                                  "node y = elementwise Sub (u, v) -> y: f32[3,5]\noutput y\n",
                                  "g"))));
  ASSERT_EQ(parts.regions.size(), 1u);
  EXPECT_EQ(parts.regions[0].given.size(), 2u)
      << "x is read once: " << parts.regions[0].spec.text();
  EXPECT_EQ(parts.joined.size(), 1u);
}

TEST(Elementwise, StayApartWhereAnotherReadsOrRepeatsWhatIsBetween) {
  const auto num_nodes = [](const std::string& tensors, const std::string& nodes) {
    return parts_of("g (" + tensors + ") => (y) {" + nodes + "}").regions.size();
  };
  const std::string x = "float[4,8] x, float[3,4,8] z";
  EXPECT_EQ(num_nodes(x, " t = Relu(x) y = Neg(t) "), 1u);
  EXPECT_EQ(num_nodes(x, " t = Relu(x) u = Neg(t) v = Abs(t) w = Add(u, v) y = Softmax(w) "), 3u);
  EXPECT_EQ(num_nodes(x, " t = Exp(x) y = Mul(t, t) "), 2u) << "exp would be computed twice";
  EXPECT_EQ(num_nodes(x, " t = Exp(x) w = Abs(z) y = Mul(t, w) "), 2u) << "and here three times";
  EXPECT_EQ(num_nodes("int32[4,8] x", " t = Abs(x) y = Neg(t) "), 2u) << "whole numbers";
}

TEST(Elementwise, AnOutputOfTheGraphIsWritten) {
  const Partition parts = parts_of("g (float[4,8] x) => (t, y) { t = Relu(x) y = Neg(t) }");
  EXPECT_EQ(parts.regions.size(), 2u);
}

std::string reason_of(const std::string& node) {
  const Graph graph = right(
      parse_graph("graph g\ninput x: f32[4,8]\nconstant w: f32[8]\nnode n = elementwise Written " +
                      node + " -> y: f32[4,8]\noutput y\n",
                  "g"));
  return right(node_region(graph, graph.nodes.front())).reason;
}

TEST(Elementwise, AWrittenNodeIsWhatItsTextSays) {
  const std::string text = R"({region="Y[a,b]=A[a,b]*B[b]:a=4,b=8,A=4x8,B=8"})";
  EXPECT_EQ(reason_of(text + " (x, w)"), "");
  EXPECT_EQ(reason_of(text + " (w, x)"), "its region has another shape or type of B");
  EXPECT_EQ(reason_of(text + " (x)"),
            "found 1 inputs and 1 outputs; expected 2 and 1, as its region");
  EXPECT_EQ(reason_of("(x)"), "no text of a region");
}

}  // namespace
}  // namespace dovetail
