// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/alternatives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "deploy/layouts/choose_layouts.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// One of the tensors that are joined is made by a convolution, the other one is the input.
const char* const kJoined =
    "input x: f32[1,16,6,6]\nconstant a: f32[32,16,1,1]\nconstant b: f32[16,48,1,1]\n"
    "node c1 = complex c2d:ci=16,co=32,h=6,w=6,k=1 (x, a) -> t: f32[1,32,6,6]\n"
    "node j = data_movement Concat {axis=1} (t, x) -> u: f32[1,48,6,6]\n"
    "node c2 = complex c2d:ci=48,co=16,h=6,w=6,k=1 (u, b) -> v: f32[1,16,6,6]\n"
    "node f = elementwise Abs (v) -> y: f32[1,16,6,6]\noutput y\n";

size_t number_of(const Partition& parts, const std::string& node) {
  const auto found = std::ranges::find(parts.graph.nodes, node, &GraphNode::name);
  return static_cast<size_t>(found - parts.graph.nodes.begin());
}

TracesOfTask traces_in(const std::vector<FixedLayout>& layouts, const Target& target) {
  return [layouts, target](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    std::vector<TimedTrace> found;
    for (const FixedLayout layout : layouts)
      found.push_back({.trace = TRY(build_space(task, target, layout)).default_trace()});
    return found;
  };
}

bool reads_in_different_orders(const Partition& parts, size_t node,
                               const LayoutAlternative& alternative) {
  std::set<std::string> orders;
  for (const auto& [name, id] : parts.regions[node].given) {
    std::string order;
    for (const NormalDigit& digit : alternative.forms.at(id).digits)
      order += std::to_string(digit.dim);
    orders.insert(order);
  }
  return orders.size() > 1;
}

TEST(LayoutAlternatives, TensorsThatAreJoinedAreReadAsTheyCome) {
  const Partition parts = parts_of(kJoined);
  const Target target = cpu_here();
  const LayoutAlternatives found = right(layout_alternatives(
      parts, target, traces_in({FixedLayout::nhwo}, target), Propagation::both));
  const size_t node = number_of(parts, "j");
  const std::vector<LayoutAlternative>& joins = found.nodes.at(node);
  EXPECT_TRUE(std::ranges::any_of(joins, [&](const LayoutAlternative& own) {
    return own.converts && reads_in_different_orders(parts, node, own);
  }));
}

// Each alternative of the join, whatever it makes the others convert.
TEST(LayoutAlternatives, AreRight) {
  const Partition parts = parts_of(kJoined);
  const Target target = cpu_here();
  const LayoutAlternatives found = right(layout_alternatives(
      parts, target, traces_in({FixedLayout::nohw16o, FixedLayout::nhwo}, target),
      Propagation::both));
  const size_t node = number_of(parts, "j");
  const NetworkChoice first = choose_layouts(parts, found, default_costs(parts, found)).network;
  for (const LayoutAlternative& own : found.nodes.at(node)) {
    NetworkChoice choice = first;
    choice.nodes.at(node) = own.choice;
    const LoweredNetwork lowered =
        right(lower_network(parts, target, default_traces(target), choice), own.key);
    EXPECT_TRUE(runs_right(parts, lowered)) << own.key;
  }
}

}  // namespace
}  // namespace dovetail
