// SPDX-License-Identifier: Apache-2.0
#pragma once

// trace_forms: the layouts in which a trace of a region with a product stores the graph's tensors.
//
//   conv1: t[1,64,56,56] -> u[1,64,56,56], layout A: …
//     forms            t 1@16:4 2@1:56 3@1:56 1@1:16    u 1@32:2 2@1:56 3@1:56 1@1:32
//     copies_output    the program computes u otherwise and converts it
//
// An input that the program copies, to pad it for instance, has no entry: the copy can read any
// layout.

#include <cstdint>

#include "core/base/result.h"
#include "core/frontend/computations/node_region.h"
#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "deploy/network/network_choice.h"
#include "deploy/network/network_outputs.h"

namespace dovetail {

struct TraceForms {
  FormsOfTensors forms;
  bool copies_output = false;   // not stored in records
  int64_t constant_bytes = 0;   // weights as kernels read them in every run
  int64_t temporary_bytes = 0;  // temporaries between its kernels
};

// The error says why the trace cannot run in the graph.
Result<TraceForms> trace_forms(const Graph& graph, const NodeRegion& node, const Region& region,
                               const Trace& trace, const NetworkOutputs& outputs,
                               const Target& target);

}  // namespace dovetail
