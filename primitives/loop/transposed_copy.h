// SPDX-License-Identifier: Apache-2.0
//
// transposed_copy_loops: the loops of a copy whose source and target have different innermost
// axes: tiles that are read along the one and written along the other.
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

#include <optional>
#include <vector>

#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// Nothing where the stage is no such copy: it reads and writes along one axis, or along an axis
// that has no tile of at least two.
std::optional<std::vector<LoopPrimitive>> transposed_copy_loops(
    const Stage& stage, const std::vector<ScheduledTensor>& tensors, const Target& target);

// Whether the stage's two innermost loops are such a tile, but for what the storage says: a copy,
// unrolled over one axis of its output and vectorized over another.
bool has_transposed_loops(const Stage& stage);

}  // namespace dovetail
