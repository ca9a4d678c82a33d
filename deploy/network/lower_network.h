// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_network: the regions of a partition with their traces, layouts between them, linked.
//
//   LoweredNetwork network = TRY(lower_network(parts, target, trace_of, {}));
//
//   conv1   its trace's layouts, Y in blocks of 16 channels
//   pool    follows: a region of blocks (primitives/propagation/stored_region.h)
//   conv2   wants blocks of 32: convert; or, where its trace pads X anyway, pad what is there
//   flatten, a Transpose: nothing runs; the next region is told where elements lie
//
// `propagate` off is ALT-WP: whatever is no product has row-major tensors, and conversions stand
// between.
//
// Conversions are regions, too: found in logs, tuned, one for all readers that want the same.

#include <functional>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// The trace of a task, without a border: the best of a log, or the default one.
using TraceOfTask = std::function<Result<Trace>(const TaskSpec& task)>;
// Default traces, each found once.
TraceOfTask default_traces(const Target& target);

struct LoweringOptions {
  bool propagate = true;
};

// The error is a node without a computation, a constant without numbers where `parts` has them not,
// or a trace that is illegal for its task.
Result<LoweredNetwork> lower_network(const Partition& parts, const Target& target,
                                     const TraceOfTask& trace_of,
                                     const LoweringOptions& options = {});

}  // namespace dovetail
