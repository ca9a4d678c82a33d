// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/partition.h"

#include <gtest/gtest.h>

#include "tests/core/frontend/model_file.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::import_text;
using testing::right;

// A block of a residual network, what follows it, and a node that no version computes.
Graph block() {
  return right(
      import_text("g (float[1,4,8,8] x, float[4,4,3,3] v, float[4,4,3,3] w) => (y, z) {"
                  " r = Conv<pads = [1,1,1,1]>(x, v) s = Relu(r) t = Conv<pads = [1,1,1,1]>(s, w)"
                  " u = Add(t, x) a = Relu(u) p = MaxPool<kernel_shape = [2,2], strides = [2,2]>(a)"
                  " y = Flatten(p) z = NonZero(p) }"));
}

TEST(Partition, JoinsTheTailOfAnOperator) {
  const Partition parts = right(partition(block()));
  EXPECT_GOLDEN(print(parts), "core/frontend/partition");
  EXPECT_EQ(parts.regions.size(), parts.graph.nodes.size());
  EXPECT_EQ(parts.joined, (JoinedNodes{{"Conv_0", {"Relu_1"}}, {"Conv_2", {"Add_3", "Relu_4"}}}));
}

TEST(Partition, CountsBothNodesOfASilu) {
  const Graph graph = right(
      import_text("g (float[1,4,8,8] x, float[4,4,3,3] w) => (y) { t = Conv(x, w) s = Sigmoid(t)"
                  " y = Mul(t, s) }"));
  const Partition parts = right(partition(graph));
  EXPECT_EQ(parts.joined, (JoinedNodes{{"Conv_0", {"Sigmoid_1", "Mul_2"}}}));
  EXPECT_TRUE(print(parts).starts_with("# 3 nodes in 1 region: 1 with a spec, 0 views\n"));
}

TEST(Partition, WithoutTailsLeavesEachNodeAlone) {
  const Graph graph = block();
  const Partition parts = right(partition(graph, {.tails = false, .elementwise = false}));
  EXPECT_EQ(parts.graph, graph);
  EXPECT_EQ(parts.regions.size(), 8u);
  EXPECT_TRUE(parts.joined.empty());
  for (const GraphNode& node : graph.nodes)
    EXPECT_TRUE(!node.op || node.op->epilogues.empty()) << node.name << ": an import fused it";
}

TEST(Partition, PrintsAsAGraphThatParses) {
  for (const bool tails : {false, true}) {
    const Partition parts = right(partition(block(), {.tails = tails, .elementwise = tails}));
    EXPECT_EQ(right(parse_graph(print(parts), "block.graph")), parts.graph);
  }
}

TEST(Partition, KeepsTheReasonOfANodeWithoutAComputation) {
  const Partition parts = right(partition(block()));
  EXPECT_EQ(parts.regions.back().reason, "an output whose shape depends on data");
}

}  // namespace
}  // namespace dovetail
