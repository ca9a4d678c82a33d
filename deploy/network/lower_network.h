// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_network: the regions of a partition as they were chosen to run, conversions between them,
// linked.
//
//   const NetworkChoice choice = TRY(choose_layouts(parts, target, options)).choice;
//   LoweredNetwork network = TRY(lower_network(parts, target, trace_of, choice));
//
//   conv1   its trace's layouts, Y in blocks of 16 channels
//   pool    follows: a region of blocks (primitives/propagation/stored_region.h)
//   conv2   wants blocks of 32: convert; or, where its trace pads X anyway, pad what is there
//   flatten, a Transpose: nothing runs; the next region is told where elements lie
//
// Without a choice it is ALT-WP: whatever is no product has row-major tensors, and conversions
// stand between.
//
// Conversions are regions, too: found in logs, tuned, one for all readers that want the same.

#include <functional>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/network/lowered_network.h"
#include "deploy/network/network_choice.h"
#include "primitives/algorithm/allowed_algorithms.h"

namespace dovetail {

// The trace of a task, without a border: the best of a log, or the default one.
using TraceOfTask = std::function<Result<Trace>(const TaskSpec& task)>;
// Default traces, each found once, by the algorithms that their tasks allow.
TraceOfTask default_traces(const Target& target, AllowsAlgorithm allows = any_algorithm);

// The error is a node without a computation, a constant without numbers where `parts` has them not,
// or a trace that is illegal for its task.
Result<LoweredNetwork> lower_network(const Partition& parts, const Target& target,
                                     const TraceOfTask& trace_of, const NetworkChoice& choice);

}  // namespace dovetail
