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
// A copy whose source and target have different innermost axes: tiles that are read along the one
// and written along the other.
//
//     X[n, i.0, h, w, i.1] = X.given[n, 16*i.0 + i.1, h, w]
//
//     for i.0 in 0..4 parallel
//       for h in 0..56
//         for w.0 in 0..7
//           for i.1 in 0..16 unrolled        neighbours in X
//             for w.1 in 0..8 vectorized     neighbours in X.given
//
// The CPU emitter turns these two loops into 16 loads of 8 lanes, a transposition in registers, and
// 8 stores of 16 lanes (core/codegen/llvm/emit/transposition.h).
//
// Why a loop shape and not a primitive: the nest is valid in any backend; only the CPU's stores of
// lanes that are far apart are special.
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

// Whether the stage's two innermost loops are a transposed tile, regardless of the storage:
// elements are moved, unrolled over one axis of the output and vectorized over another.
bool has_transposed_loops(const Stage& stage);

}  // namespace dovetail
