// SPDX-License-Identifier: Apache-2.0
//
// What a loop of each kind may be, given the loops around it:
//
//     parallel     outermost, and alone in its block
//     vectorized   innermost: it holds stores only
//     bound        to an axis that no loop around it is bound to
//     clipped      serial, by bounds that move with it by a constant step
//
// Of use to verify() only.
#pragma once

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// `siblings`: statements of the block that holds it, itself included.
Result<void> check_kind(const Loop& loop, const std::vector<const Loop*>& around, size_t siblings);

Result<void> check_may_be_clipped(const Loop& loop);
Result<void> check_clips_a_stretch(const Loop& loop, const Bound& bound);

}  // namespace dovetail
