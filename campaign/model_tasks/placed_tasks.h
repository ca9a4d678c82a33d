// SPDX-License-Identifier: Apache-2.0
#pragma once

// placed_tasks: tasks that a model gains only once layouts are chosen: layout conversions, and
// regions without a product rewritten over the split dimensions of a neighbour's layout.
//
//   conv1's best trace stores t in blocks of 16 channels       so the model has two more tasks:
//   pool      B[a,b,c,d]max=A[a,2*b+e,2*c+f,d]:…               of blocks, not of plain images
//   convert.t B[a,b,c,d]=A[a,4*b+e,c,d]:…                      conv2's best trace wants it so
//
// A campaign of a model tunes its regions first, and these with the rest of its budget, so that the
// log has every task that `run` looks up.

#include <vector>

#include "campaign/workloads.h"
#include "core/ir/target.h"
#include "deploy/layouts/alternatives.h"

namespace dovetail {

// Layouts are those of variant `joint` with these traces. Tasks of `known` and duplicates are left
// out, and no name is a known task's. A task's weight is the number of calls that run it.
Result<Workloads> placed_tasks(const Workloads& known, const Target& target,
                               const TracesOfTask& traces_of);

}  // namespace dovetail
