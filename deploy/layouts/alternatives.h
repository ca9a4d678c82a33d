// SPDX-License-Identifier: Apache-2.0
#pragma once

// LayoutAlternatives: what each region of a graph could do: traces that store their tensors in
// different ways, and forms in which other regions can follow their neighbours.
//
//   conv1   trace 17: u in blocks of 16 | trace 40: u in blocks of 32, 3 % slower
//   pool    u, v row-major | both in blocks of 16 | of 32 | u in blocks of 16, v of 32
//   concat  a in blocks of 32, b channels last, what they become channels last | ...
//   conv2   trace 3: v in blocks of 32 | ...
//
// How layouts travel is ALT's propagation (paper, section 4.2), through all that indexes can be
// rewritten for: `forward`, outputs as inputs come; `backward`, as the next product wants them; or
// `both`, and then also regions that are given one layout and make another one, and joins that
// read each tensor as it comes (docs/decisions/0038-joined-tensors.md).
//
// Which alternatives are best together: deploy/layouts/choose_layouts.h.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "deploy/network/lower_network.h"

namespace dovetail {

// A trace of a task and what a log says that it takes; nothing where no log does.
struct TimedTrace {
  Trace trace;
  std::optional<double> seconds = {};
  bool is_default = false;  // it would run if there were no log
};
// The best first; at least one.
using TracesOfTask = std::function<Result<std::vector<TimedTrace>>(const TaskSpec& task)>;
TracesOfTask only(const TraceOfTask& trace_of);

enum class Propagation { none, forward, backward, both };

struct LayoutAlternative {
  NodeChoice choice;
  FormsOfTensors forms;           // of all activations, those of a product's trace, too
  std::optional<double> seconds;  // of a trace in a log
  bool converts = false;          // it makes another layout than what it computes in
  bool is_default = false;        // TimedTrace::is_default
  int64_t constant_bytes = 0;     // of a trace's weights, as kernels read them
  int64_t temporary_bytes = 0;    // of a trace's program
  std::string adapted_from = {};  // key of another one; no log knows this: adapted_traces.h
  std::string key;                // alike for nodes that do the same: what measurements go by
};

struct LayoutAlternatives {
  std::vector<std::vector<LayoutAlternative>> nodes;  // of each region; at least one each
};

// The error names the node, as lower_network()'s.
Result<LayoutAlternatives> layout_alternatives(const Partition& parts, const Target& target,
                                               const TracesOfTask& traces_of,
                                               Propagation propagation);

}  // namespace dovetail
