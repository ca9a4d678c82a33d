// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/fusible_chains.h"

#include <gtest/gtest.h>

#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// An inverted bottleneck with a shortcut: expand, dw and project take 18 KB each way.
std::string bottleneck(const std::string& more = "", const std::string& outputs = "output y\n") {
  return "input x: f32[1,16,12,12]\nconstant a: f32[32,16,1,1]\nconstant b: f32[32]\n"
         "constant c: f32[32,1,3,3]\nconstant d: f32[32]\nconstant e: f32[16,32,1,1]\n"
         "node expand = complex c2d:ci=16,co=32,h=12,w=12,k=1+bias+relu6 (x, a, b)"
         " -> t: f32[1,32,12,12]\n"
         "node dw = complex dep:c=32,h=12,w=12,k=3,p=1+bias+relu6 (t, c, d)"
         " -> u: f32[1,32,12,12]\n"
         "node project = complex c2d:ci=32,co=16,h=12,w=12,k=1+add (u, e, x)"
         " -> v: f32[1,16,12,12]\n" +
         more + "node last = elementwise Abs (v) -> y: f32[1,16,12,12]\n" + outputs;
}

Target with_second_cache(int64_t bytes) {
  Target target = cpu_here();
  target.l2_bytes = bytes;
  return target;
}

TEST(FusibleChains, AreThinProductsBetweenTwoOthers) {
  const std::vector<NodeChain> chains =
      fusible_chains(parts_of(bottleneck()), with_second_cache(16 << 10));
  EXPECT_EQ(chains, (std::vector<NodeChain>{{.nodes = {0, 1, 2}}}));
}

// The tail of a product may read the product's sum twice, as HardSwish does.
TEST(FusibleChains, HaveTailsOfAnyValue) {
  const Partition parts = parts_of(
      "input x: f32[1,16,12,12]\nconstant a: f32[32,16,1,1]\nconstant b: f32[32]\n"
      "constant c: f32[32,1,3,3]\nconstant e: f32[16,32,1,1]\n"
      "node expand = complex c2d:ci=16,co=32,h=12,w=12,k=1+bias (x, a, b) -> s: f32[1,32,12,12]\n"
      "node swish = elementwise HardSwish (s) -> t: f32[1,32,12,12]\n"
      "node dw = complex dep:c=32,h=12,w=12,k=3,p=1 (t, c) -> u: f32[1,32,12,12]\n"
      "node swash = elementwise HardSwish (u) -> v: f32[1,32,12,12]\n"
      "node project = complex c2d:ci=32,co=16,h=12,w=12,k=1 (v, e) -> y: f32[1,16,12,12]\n"
      "output y\n");
  ASSERT_EQ(parts.regions.size(), 3u) << print(parts);
  const Target target = with_second_cache(16 << 10);
  const std::vector<NodeChain> chains = fusible_chains(parts, target);
  ASSERT_EQ(chains, (std::vector<NodeChain>{{.nodes = {0, 1, 2}}}));
  EXPECT_TRUE(runs_right(fused(parts, chains)));
}

TEST(FusibleChains, OfTensorsThatTheCachesHoldAreNotOffered) {
  EXPECT_TRUE(fusible_chains(parts_of(bottleneck()), with_second_cache(1 << 20)).empty());
}

TEST(FusibleChains, EndAtATensorThatSomebodyElseReads) {
  const Target target = with_second_cache(1 << 10);
  const std::string reader = "node too = elementwise Exp (u) -> w: f32[1,32,12,12]\n";
  EXPECT_TRUE(fusible_chains(parts_of(bottleneck(reader, "output y\noutput w\n")), target).empty());
  EXPECT_TRUE(fusible_chains(parts_of(bottleneck("", "output y\noutput t\n")), target).empty());
}

TEST(FusibleChains, AreNoneOnADevice) {
  Target device = with_second_cache(1 << 10);
  device.name.backend = "opencl";
  device.execution = ExecutionModel::work_groups;
  EXPECT_TRUE(fusible_chains(parts_of(bottleneck()), device).empty());
}

TEST(Fused, IsOneNodeOfTheSameGraph) {
  const Partition parts = parts_of(bottleneck(), {.tail_values = false});
  const NodeChain chain{.nodes = {0, 1, 2}};
  const Partition one = fused(parts, {chain});
  ASSERT_EQ(one.regions.size(), 2u);
  EXPECT_EQ(one.graph.tensors, parts.graph.tensors);
  EXPECT_EQ(one.graph.nodes[0].name, "project");
  EXPECT_EQ(one.joined.at("project"), (std::vector<std::string>{"expand", "dw"}));
  EXPECT_EQ(
      one.regions[0].made,
      (NodeRegion::NamedTensors{{one.regions[0].made[0].first, parts.regions[2].made[0].second}}));
  EXPECT_EQ(right(one.regions[0].spec.value()).computations.size(), 3u);
  EXPECT_EQ(fused(parts, {}).regions.size(), parts.regions.size());
}

// The two have one reference, that of the nodes apart.
TEST(Fused, ComputesTheSame) {
  const Partition parts = parts_of(bottleneck());
  const Partition one = fused(parts, {{.nodes = {0, 1, 2}}});
  const Target target = cpu_here();
  EXPECT_TRUE(runs_right(one));
  for (const uint64_t seed : {1, 2, 3, 4})
    EXPECT_TRUE(runs_right(
        one, right(testing::lowered_network(one, target, testing::random_traces_of(target, seed)))))
        << seed;
}

}  // namespace
}  // namespace dovetail
