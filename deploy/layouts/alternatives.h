// SPDX-License-Identifier: Apache-2.0
#pragma once

// LayoutAlternatives: the candidates for each region of a graph: traces with different tensor
// layouts where it has a product (matmul or convolution), else layouts that follow its neighbours'.
//
//   conv1   trace 17: u in blocks of 16 | trace 40: u in blocks of 32, 3 % slower
//   pool    u, v row-major | both in blocks of 16 | of 32 | u in blocks of 16, v of 32
//   concat  a in blocks of 32, b channels last, what they become channels last | ...
//   conv2   trace 3: v in blocks of 32 | ...
//
// Layouts propagate as in ALT (paper, section 4.2), through every region whose indexes can be
// rewritten: `forward`, outputs take the layout of the inputs; `backward`, tensors take the layout
// that the next product wants; `both` adds regions that read one layout and write another one, and
// joins that read each operand in its own layout (docs/decisions/0038).
//
// The best combination of alternatives: deploy/layouts/choose_layouts.h.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "deploy/network/lower_network.h"

namespace dovetail {

// A trace of a task, with its time where a log has one.
struct TimedTrace {
  Trace trace;
  std::optional<double> seconds = {};
  bool is_default = false;  // the trace that runs without a log
};
// The traces of a task, best first; at least one.
using TracesOfTask = std::function<Result<std::vector<TimedTrace>>(const KeyedTask& task)>;
TracesOfTask only(const TraceOfTask& trace_of);

enum class Propagation { none, forward, backward, both };

struct LayoutAlternative {
  NodeChoice choice;
  FormsOfTensors forms;  // layouts of all activations, those that `choice.trace` sets included
  std::optional<double> seconds;  // a trace's time in the log
  bool converts = false;          // writes its output in another layout than it computes in
  bool is_default = false;        // TimedTrace::is_default
  int64_t constant_bytes = 0;     // a trace's weights, as kernels read them
  int64_t temporary_bytes = 0;    // temporaries of a trace's program
  std::string adapted_from = {};  // key of the trace it was derived from (adapted_traces.h)
  std::string key;                // equal for equal work: nodes share measurements by it
};

struct LayoutAlternatives {
  std::vector<std::vector<LayoutAlternative>> nodes;  // by region; at least one each
};

// The error names the node, like that of lower_network().
Result<LayoutAlternatives> layout_alternatives(const Partition& parts, const Target& target,
                                               const TracesOfTask& traces_of,
                                               Propagation propagation);

}  // namespace dovetail
