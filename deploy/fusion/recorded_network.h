// SPDX-License-Identifier: Apache-2.0
#pragma once

// recorded_network: a network that measurements chose, as a line of a log, and back.
//
//   NetworkRecord record = network_record(parts, target, found);     found: measured_fusions.h
//   record.fused            {{"expand", "dw", "project"}}
//   const ChosenNetwork again = TRY(chosen_network(parts, record));  lowers to the same bytes
//
// Names of nodes and tensors are the graph's, so that a line can be read beside `show MODEL`.

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "core/record/line/network_record.h"
#include "deploy/fusion/measured_fusions.h"

namespace dovetail {

struct ChosenNetwork {
  Partition parts;                // with what is fused
  std::vector<NodeChain> chains;  // of the partition that was given
  NetworkChoice network;          // of `parts`
};

// A line of this graph, target and device, with nothing chosen: what a kept one must be like.
NetworkRecord network_of_graph(const Partition& parts, const Target& target);
// `parts`: as the search was given them. Campaign and trials are the caller's to say.
NetworkRecord network_record(const Partition& parts, const Target& target,
                             const MeasuredFusions& found);

// The error names what the graph has not, or the text that is no trace or no layout.
Result<ChosenNetwork> chosen_network(const Partition& parts, const NetworkRecord& record);

}  // namespace dovetail
