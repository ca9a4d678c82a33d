// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_network: lowers a partition's regions as they were chosen to run, converts layouts between
// them, and links the result.
//
//   const NetworkChoice choice = TRY(choose_layouts(parts, target, options)).choice;
//   LoweredNetwork network = TRY(lower_network(parts, target, trace_of, choice));
//
//   conv1   its trace's layouts, Y in blocks of 16 channels
//   pool    follows: a region of blocks (primitives/propagation/stored_region.h)
//   conv2   wants blocks of 32: convert; or, where its trace pads X anyway, pad what is there
//   flatten, a Transpose: nothing runs; the next region is told where elements lie
//
// Without a choice it is ALT-WP: regions without a product have row-major tensors, with conversions
// in between.
//
// Conversions are regions, too: tuned, found in logs, and shared by consumers of the same layout.

#include <functional>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/network/lowered_network.h"
#include "deploy/network/network_choice.h"
#include "primitives/algorithm/allowed_algorithms.h"

namespace dovetail {

// The trace of a task with a free border: the best of a log, or the default one.
using TraceOfTask = std::function<Result<Trace>(const KeyedTask& task)>;
// Default traces with the algorithms that `allows` accepts, memoized by task.
TraceOfTask default_traces(const Target& target, AllowsAlgorithm allows = any_algorithm);

// Fails for a node without a computation, a layout that a region's tensors cannot have, or a trace
// that is illegal for its task.
Result<LoweredNetwork> lower_network(const Partition& parts, const Target& target,
                                     const TraceOfTask& trace_of, const NetworkChoice& choice);

}  // namespace dovetail
