// SPDX-License-Identifier: Apache-2.0
//
// Attaching a stage to a loop of the stage that reads it, the host: which loops are around it,
// which part of its tensor one round reads, and loops over that part. What compute_at and
// cache_read share.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

// `stage` has an attachment with stage, loop, scope and doubled; the rest of it and the stage's
// loops are made here. The loops of the host and of all readers are final. Errors start with
// `what`.
Result<Stage> attach(const std::string& what, const Stage& stage, const Schedule& schedule,
                     const Target& target);

}  // namespace dovetail
