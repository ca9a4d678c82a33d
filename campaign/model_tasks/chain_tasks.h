// SPDX-License-Identifier: Apache-2.0
#pragma once

// chain_tasks: adds tasks for chains of a model's nodes that may run as one fused region
// (deploy/fusion/fusible_chains.h).
//
//   Workloads workloads = TRY(read_workloads({"mobilenet_v2.onnx"}, "cpu"));
//   add_chain_tasks(workloads, target);     "Conv_3+Conv_5+Conv_7", E[…]=…;D[…]=…;Y[…]=…
//
// Alternatives to the nodes' own tasks: no single node runs them, so a network's sum has none.

#include "campaign/workloads.h"
#include "core/ir/target.h"

namespace dovetail {

void add_chain_tasks(Workloads& workloads, const Target& target);

}  // namespace dovetail
