// SPDX-License-Identifier: Apache-2.0
//
// The loops of a stage that copies, where its line is empty: the innermost axis vectorized, if
// elements are adjacent on both sides, and the outermost parallel (CPU), or all others over groups
// and work-items:
//
//   for n_d_h in 0..16384 bind group.0
//     for i in 0..64 … of which 8 bind thread.1
//       for w.0 in 0..17 bind thread.0
//         for w.1 in 0..2 vectorized
//           X.pad[…] = (0 <= 2*w.0 + w.1 - 1 < 32) ? X[…] : 0
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

#include <optional>
#include <vector>

#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// `fused`: the loops over groups are one.
Stage looped_copy(const Stage& initial, const Target& target, bool vectorized, bool fused);

// nullopt where the stage is no transposing copy as above: it reads and writes along one axis, or
// an axis has no tile of at least two.
std::optional<std::vector<LoopPrimitive>> transposed_copy_loops(
    const Stage& stage, const std::vector<ScheduledTensor>& tensors, const Target& target);

// Whether the stage's two innermost loops are a transposed tile, regardless of the storage:
// elements are moved, unrolled over one axis of the output and vectorized over another.
bool has_transposed_loops(const Stage& stage);

}  // namespace dovetail
