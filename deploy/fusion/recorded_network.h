// SPDX-License-Identifier: Apache-2.0
#pragma once

// recorded_network: converts a network that was chosen by measurements to a log line and back.
//
//   NetworkRecord record = network_record(parts, target, found);     found: measured_fusions.h
//   record.fused            {{"expand", "dw", "project"}}
//   const ChosenNetwork again = TRY(chosen_network(parts, record));  lowers to the same bytes
//
// Nodes and tensors have the graph's names, so that a line can be read beside `show MODEL`.

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "core/record/line/network_record.h"
#include "deploy/fusion/measured_fusions.h"

namespace dovetail {

struct ChosenNetwork {
  Partition parts;                // the given partition with `chains` fused
  std::vector<NodeChain> chains;  // in node numbers of the given partition
  NetworkChoice network;          // choice for `parts`
};

// A record of graph, target and device with nothing chosen: what kept_networks() compares with.
NetworkRecord network_of_graph(const Partition& parts, const Target& target);
// `parts` is the partition that the search was given. The caller fills in campaign and trials.
NetworkRecord network_record(const Partition& parts, const Target& target,
                             const MeasuredFusions& found);

// The error names the node or tensor that the graph lacks, or the text that is no trace or layout.
Result<ChosenNetwork> chosen_network(const Partition& parts, const NetworkRecord& record);

}  // namespace dovetail
