// SPDX-License-Identifier: Apache-2.0
//
// The loops of a stage whose line is empty: of copies, of transforms, and of stages attached to
// others.
//
// A transform without a line: loops over several tiles are split at the tiles, those over tables of
// coefficients are innermost and unrolled, the layout's innermost axis is vectorized, and the
// others follow the output's layout; the outermost is parallel (CPU), or three of them are over
// work-groups and the last one over work-items (OpenCL).
//
//   loops X.wino: reorder(i.0, n, th, tw, ah, aw, rh, rw, i.1) ; unroll(ah) ; unroll(aw)
//                 ; unroll(rh) ; unroll(rw) ; vectorize(i.1) ; parallel(i.0)
//
// Copies: copy_loops.h.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

// Name of the loop of a local tile's stage whose iterations the work-items share evenly: of 64
// items, each runs iterations 64*round + item.
inline constexpr const char* kSharedLoop = "unit";

// Precondition: the readers of the stage have their loops.
Result<Stage> looped_by_default(const Stage& stage, const Schedule& schedule, const Target& target);

}  // namespace dovetail
