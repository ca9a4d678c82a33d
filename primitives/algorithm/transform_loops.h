// SPDX-License-Identifier: Apache-2.0
//
// The loops of a transform when a trace does not give any: loops over several tiles cut at these,
// those over tables of coefficients innermost and written out, the innermost axis of the layout in
// vectors, all others in the order of the output's layout, the outermost shared by threads (CPU),
// or three of them by work-groups and the last one by work-items (OpenCL).
//
//   loops X.wino: reorder(i.0, n, th, tw, ah, aw, rh, rw, i.1) ; unroll(ah) ; unroll(aw)
//                 ; unroll(rh) ; unroll(rw) ; vectorize(i.1) ; parallel(i.0)
#pragma once

#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

std::vector<LoopPrimitive> default_transform_loops(const Stage& stage, const Target& target,
                                                   bool vectorized);

}  // namespace dovetail
