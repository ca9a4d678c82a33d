// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoweredNetwork: a network program, and the origin of each of its calls.
//
//   const LoweredNetwork network = TRY(lower_network(parts, target, traces, choice));
//   network.program.calls[3]     layer1.0.conv1  2  relu.Y layer1.0.conv1.W layer1.0.conv1.Y
//   network.steps[3]             node 4, c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu, its trace
//   network.steps[2]             no node: pool.Y converted to 1@16:4 2@1:56 3@1:56 1@1:16
//
// Step i belongs to call i.

#include <optional>
#include <utility>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/network/network_program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

struct NetworkStep {
  std::optional<size_t> node;  // in the partition's graph; empty: a conversion
  KeyedTask task;              // key of the trace in a log
  Border border;               // the trace was lowered with it
  Trace trace;
  // The graph's tensors that the call writes, with their network buffers, whose layouts are in the
  // tensors' own shapes.
  std::vector<std::pair<TensorId, size_t>> made = {};
  std::pair<NormalLayout, NormalLayout> converted = {};  // from, to; of conversions only
};

struct LoweredNetwork {
  NetworkProgram program;
  std::vector<NetworkStep> steps;
};

inline int64_t conversions_of(const LoweredNetwork& network) {
  int64_t count = 0;
  for (const NetworkStep& step : network.steps) count += step.node ? 0 : 1;
  return count;
}

}  // namespace dovetail
