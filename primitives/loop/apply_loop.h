// SPDX-License-Identifier: Apache-2.0
//
// Loop primitives applied one after another.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// It applies a primitive that changes one stage: any but compute_at and inline.
Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage);
// Errors start with "loops: " or "loops X.pad: ".
Result<Stage> apply_all(const StageLoops& lines, const Stage& initial);

// It applies one stage's line, in a schedule where the readers of that stage have theirs:
// compute_at first, if it is there; with no line, a copy gets its default loops; then the stages of
// what it caches are made.
Result<Schedule> apply_line(const StageLoops& lines, const Schedule& schedule, size_t index,
                            const Target& target);
// Every stage whose line is inline() vanishes.
Result<Schedule> inline_stages(const Trace& trace, const Schedule& schedule);

}  // namespace dovetail
