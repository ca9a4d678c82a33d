// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_network: a model's regions, a log and a variant in; out comes the network that they mean:
// what is fused, each region's trace, how tensors lie between them, lowered and linked.
//
//   TaskTraces traces({.target = target, .log = log, .caches = caches});
//   const NetworkOfLog network =
//       TRY(choose_network(parts, traces, {.variant = "joint"}, listener));
//   network.lowered.program        what is compiled
//   traces.found()                 which records it runs with
//
// It is one question for whoever runs a network, looks at its layouts, or builds a package of it:
// all three get the same bytes. Variant `global` is decided by measurements; a log keeps what they
// decided (deploy/fusion/recorded_network.h), and only `run` measures where it keeps none.

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "campaign/listener.h"
#include "campaign/network/task_traces.h"
#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/record/line/network_record.h"
#include "deploy/fusion/measured_fusions.h"
#include "deploy/fusion/recorded_network.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

struct NetworkWish {
  std::string name = {};  // in notes
  // Without one it is the network that the log keeps, and joint where that keeps none.
  std::optional<std::string> variant = {};
  bool exact = false;                          // with which a kept network was chosen
  std::optional<double> memory_limit_mb = {};  // likewise; what is chosen must fit
  bool choose_again = false;                   // though the log keeps a network
};

struct NetworkOfLog {
  std::string variant;  // that was taken
  Partition parts;      // with what is fused
  LoweredNetwork lowered;
  // Variant `global` has one: the log's line, or what would be the line of what was measured now.
  std::optional<NetworkRecord> record;
  bool is_measured = false;
  // Nodes of `parts` whose trace in a kept network is not allowed: they have another one.
  std::set<size_t> left_out = {};
};

// It decides variant `global` where the log keeps none.
using MeasureNetworks = std::function<Result<MeasuredFusions>(const Partition& parts)>;

// The error is a wrong log, `global` that nobody measures, or a network over the memory limit.
Result<NetworkOfLog> choose_network(Partition parts, TaskTraces& traces, const NetworkWish& wish,
                                    const Listener& listener, const MeasureNetworks& measure = {});

}  // namespace dovetail
