// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_network: turns a model's regions, a log and a variant into a network: the fused chains,
// each region's trace and the layouts of tensors between them, lowered.
//
//   TaskTraces traces({.target = target, .log = log, .caches = caches});
//   const NetworkOfLog network =
//       TRY(choose_network(parts, traces, {.variant = "joint"}, listener));
//   network.lowered.program        what is compiled
//   traces.found()                 which records it runs with
//
// `run`, `show` and `build` all call it, so that they get the same network, to the byte. Variant
// `global` is decided by measurements; a log keeps the decision (deploy/fusion/recorded_network.h),
// and only `run` measures if it keeps none.

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
  std::string name = {};  // model's name in notes
  // None: the network that the log keeps, else `joint`.
  std::optional<std::string> variant = {};
  bool exact = false;  // a kept network counts only if its traces are exact
  // The network must fit; one that the log keeps without a limit, or with a larger one, is taken
  // if it does.
  std::optional<double> memory_limit_mb = {};
  bool choose_again = false;  // ignore a network that the log keeps
};

struct NetworkOfLog {
  std::string variant;  // the one taken
  Partition parts;      // with its fused chains
  LoweredNetwork lowered;
  // Set for variant `global`: the log's line, or the line for the networks measured now.
  std::optional<NetworkRecord> record;
  bool is_measured = false;
  // Nodes of `parts` whose trace in a kept network is not allowed, and was replaced.
  std::set<size_t> left_out = {};
};

// Measures networks, to decide variant `global` where the log keeps none.
using MeasureNetworks = std::function<Result<MeasuredFusions>(const Partition& parts)>;

// Fails on a bad log, `global` with neither a kept network nor `measure`, and too much memory.
Result<NetworkOfLog> choose_network(Partition parts, TaskTraces& traces, const NetworkWish& wish,
                                    const Listener& listener, const MeasureNetworks& measure = {});

}  // namespace dovetail
