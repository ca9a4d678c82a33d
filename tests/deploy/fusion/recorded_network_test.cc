// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/recorded_network.h"

#include <gtest/gtest.h>

#include "tests/deploy/network/network_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;

// A chain, a pooling in the layout of what is before it, and a Flatten.
const char* const kChainNetwork =
    "input x: f32[1,16,12,12]\nconstant a: f32[32,16,1,1]\nconstant c: f32[32,1,3,3]\n"
    "constant e: f32[16,32,1,1]\n"
    "node expand = complex c2d:ci=16,co=32,h=12,w=12,k=1 (x, a) -> t: f32[1,32,12,12]\n"
    "node dw = complex dep:c=32,h=12,w=12,k=3,p=1 (t, c) -> u: f32[1,32,12,12]\n"
    "node project = complex c2d:ci=32,co=16,h=12,w=12,k=1 (u, e) -> v: f32[1,16,12,12]\n"
    "node pool = reduction GlobalAveragePool (v) -> w: f32[1,16,1,1]\n"
    "node flat = data_movement Flatten (w) -> y: f32[1,16]\noutput y\n";

MeasuredFusions found_in(const Partition& parts, const Target& target, bool fuses) {
  MeasuredFusions found;
  if (fuses) found.chains = {{.nodes = {0, 1, 2}}};
  found.parts = fused(parts, found.chains);
  found.network = right(propagated(found.parts, target, only(default_traces(target))));
  found.network.prefetches_weights = fuses;
  found.seconds = 0.5;
  found.joint_seconds = 1;
  found.all_seconds = {1, 0.5};
  return found;
}

TEST(RecordedNetwork, LowersToTheSameAgain) {
  const Partition parts = parts_of(kChainNetwork);
  const Target target = cpu_here();
  for (const bool fuses : {false, true}) {
    const MeasuredFusions found = found_in(parts, target, fuses);
    const NetworkRecord record = network_record(parts, target, found);
    EXPECT_EQ(record.networks, 2);
    EXPECT_EQ(record.fused.size(), fuses ? 1u : 0u);
    const NetworkRecord read = right(parse_network_record(right(open_line(print(record)))));
    const ChosenNetwork again = right(chosen_network(parts, read));
    const auto lowered = [&](const Partition& own, const NetworkChoice& choice) {
      return print(right(lower_network(own, target, default_traces(target), choice)).program);
    };
    EXPECT_EQ(lowered(again.parts, again.network), lowered(found.parts, found.network));
  }
}

TEST(RecordedNetwork, IsOfOneGraph) {
  const Target target = cpu_here();
  const Partition parts = parts_of(kChainNetwork);
  std::string other = kChainNetwork;
  other.replace(other.find("pool ="), 6, "mean =");
  EXPECT_EQ(network_of_graph(parts, target).graph, network_of_graph(parts, target).graph);
  EXPECT_NE(network_of_graph(parts, target).graph, network_of_graph(parts_of(other), target).graph);
}

TEST(RecordedNetwork, NamesWhatTheGraphHasNot) {
  const Target target = cpu_here();
  const Partition parts = parts_of(kChainNetwork);
  const NetworkRecord right_one = network_record(parts, target, found_in(parts, target, true));
  const auto with = [&](const auto& change) {
    NetworkRecord record = right_one;
    change(record);
    return chosen_network(parts, record);
  };
  EXPECT_ERROR(with([](NetworkRecord& r) { r.fused = {{"expand", "none"}}; }), "no node none");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.fused = {{"expand", "project"}}; }), "no such chains");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.fused = {{"expand", "dw"}, {"dw", "project"}}; }),
               "no such chains");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.nodes[0].node = "none"; }), "no node none");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.nodes[0].trace = "loops"; }), "trace");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.nodes[0].forms = {{"q", "row_major"}}; }),
               "no tensor q");
  EXPECT_ERROR(with([](NetworkRecord& r) { r.nodes[0].forms = {{"v", "9@1:16"}}; }), "layout of v");
}

}  // namespace
}  // namespace dovetail
