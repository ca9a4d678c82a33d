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
//
// The loops of a copy whose source and target have different innermost axes: tiles that are read
// along the one and written along the other.
//
//     X[n, i.0, h, w, i.1] = X.given[n, 16*i.0 + i.1, h, w]
//
//     for i.0 in 0..4 parallel
//       for h in 0..56
//         for w.0 in 0..7
//           for i.1 in 0..16 unrolled        neighbours in X
//             for w.1 in 0..8 vectorized     neighbours in X.given
//
// A CPU's emitter makes of these two loops 16 loads of 8 lanes, a transposition in registers, and 8
// stores of 16 lanes (core/codegen/llvm/emit/transposition.h).
//
// Why a shape of loops and no primitive of its own: the nest says what is done in any backend; only
// how a CPU writes lanes that are far apart is new.
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

// Whether the stage's two innermost loops are a tile that is transposed, but for what the storage
// says: elements that are moved, unrolled over one axis of the output and vectorized over another.
bool has_transposed_loops(const Stage& stage);

}  // namespace dovetail
