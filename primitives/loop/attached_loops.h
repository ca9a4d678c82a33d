// SPDX-License-Identifier: Apache-2.0
//
// Loops of a stage that runs inside another: those it gets without a line of its own, and which
// ones it may not have.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

// The loop of a local tile's stage whose iterations the work-items share evenly: 64 of them run
// iteration 64*round + item each.
inline constexpr const char* kSharedLoop = "unit";

// Loops for an attached stage whose line is empty.
Stage attached_by_default(const Stage& stage, const Schedule& schedule, const Target& target);

// Fails where an attached stage, its line done, has loops that it may not have.
Result<void> check_attached_loops(const Stage& stage);

}  // namespace dovetail
