// SPDX-License-Identifier: Apache-2.0
#pragma once

// chain_tasks: what a model's network may run as one region instead of several, as tasks
// (deploy/fusion/fusible_chains.h).
//
//   Workloads workloads = TRY(read_workloads({"mobilenet_v2.onnx"}, "cpu"));
//   add_chain_tasks(workloads, target);     "Conv_3+Conv_5+Conv_7", E[…]=…;D[…]=…;Y[…]=…
//
// They are alternatives: no node of a model is theirs, so that a network's sum has none of them.

#include "campaign/workloads.h"
#include "core/ir/target.h"

namespace dovetail {

void add_chain_tasks(Workloads& workloads, const Target& target);

}  // namespace dovetail
