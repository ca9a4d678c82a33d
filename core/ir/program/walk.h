// SPDX-License-Identifier: Apache-2.0
//
// Walks over blocks: what checks, passes and emitters of programs share (those over values are in
// core/ir/value/walk.h).
#pragma once

#include "core/ir/program/program.h"
#include "core/ir/value/walk.h"

namespace dovetail {

// Over the work-items of a group, not over groups.
bool is_over_work_items(const Loop& loop);

void append(Block& block, Block more);

}  // namespace dovetail
