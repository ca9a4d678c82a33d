// SPDX-License-Identifier: Apache-2.0
//
// Loop primitives applied one after another, and the loops that a padding pass gets when the trace
// says nothing.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule.h"
#include "core/ir/target.h"
#include "core/ir/trace.h"

namespace dovetail {

Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage);
// Errors start with "loops: " or "loops X.pad: ".
Result<Stage> apply_all(const StageLoops& lines, const Stage& initial);

// A copy's loops: the innermost axis in vectors (where neighbours are neighbours on both sides),
// the outermost in parallel (CPU) or everything else over work-groups (OpenCL).
std::vector<LoopPrimitive> default_copy_loops(const Stage& stage, const Target& target,
                                              bool vectorized);

}  // namespace dovetail
