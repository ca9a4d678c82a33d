// SPDX-License-Identifier: Apache-2.0
//
// The loops of a stage whose line is empty: those of copies, of transforms, and of what runs inside
// another stage.
//
// The loops of a transform when a trace does not give any: loops over several tiles cut at these,
// those over tables of coefficients innermost and written out, the innermost axis of the layout in
// vectors, all others in the order of the output's layout, the outermost shared by threads (CPU),
// or three of them by work-groups and the last one by work-items (OpenCL).
//
//   loops X.wino: reorder(i.0, n, th, tw, ah, aw, rh, rw, i.1) ; unroll(ah) ; unroll(aw)
//                 ; unroll(rh) ; unroll(rw) ; vectorize(i.1) ; parallel(i.0)
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

// The loop of a local tile's stage whose iterations the work-items share evenly: 64 of them run
// iteration 64*round + item each.
inline constexpr const char* kSharedLoop = "unit";

// The readers of the stage have their loops.
Result<Stage> looped_by_default(const Stage& stage, const Schedule& schedule, const Target& target);

}  // namespace dovetail
