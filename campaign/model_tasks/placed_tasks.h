// SPDX-License-Identifier: Apache-2.0
#pragma once

// placed_tasks: regions that a model has only once layouts are chosen: conversions, and regions
// without a product written down over the digits of a neighbour's layout.
//
//   conv1's best trace stores t in blocks of 16 channels       so the model has two more tasks:
//   pool      B[a,b,c,d]max=A[a,2*b+e,2*c+f,d]:…               of blocks, not of plain images
//   convert.t B[a,b,c,d]=A[a,4*b+e,c,d]:…                      conv2's best trace wants it so
//
// A campaign of a model tunes its regions first, and these then, with what is left of its budget:
// a log then has all that `run` will ask for.

#include <vector>

#include "campaign/workloads.h"
#include "core/ir/target.h"
#include "deploy/layouts/alternatives.h"

namespace dovetail {

// The models' layouts are those of variant `joint` with these traces; tasks of `known` and
// duplicates are left out. A task's weight is how many calls run it.
Result<Workloads> placed_tasks(const Workloads& known, const Target& target,
                               const TracesOfTask& traces_of);

}  // namespace dovetail
