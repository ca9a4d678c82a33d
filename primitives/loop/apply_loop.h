// SPDX-License-Identifier: Apache-2.0
//
// Loop primitives applied one after another.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// Applies a primitive that changes one stage: any but compute_at, inline and rfactor.
Result<Stage> apply(const LoopPrimitive& primitive, const Stage& stage);
// A primitive without an apply() of its own does not compile, instead of converting to the above.
template <typename Primitive>
Result<Stage> apply(const Primitive& primitive, const Stage& stage) = delete;
// A refusal of a primitive, after the line that it stands in: "loops: " or "loops X.pad: ".
Unexpected in_line(const StageLoops& lines, const std::string& message);
// Errors are in_line.
Result<Stage> apply_all(const StageLoops& lines, const Stage& initial);

// Applies one stage's line: compute_at first, if present; default loops where the line is empty;
// then the stages of its cached reads are added. Precondition: the lines of its consumers have been
// applied.
Result<Schedule> apply_line(const StageLoops& lines, const Schedule& schedule, size_t index,
                            const Target& target);
// Inlines every stage whose line is inline().
Result<Schedule> inline_stages(const Trace& trace, const Schedule& schedule);

}  // namespace dovetail
