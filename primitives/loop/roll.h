// SPDX-License-Identifier: Apache-2.0
//
// roll(axis): of the part that this attached stage makes in each round keep, along an axis, what
// the next round reads, too; each round makes only what the one before did not. The tile is a ring
// as long as the part: element p of the part of round t is at (step*t + p) mod length.
//
//   for h.0 in 0..3                              private A[6]
//     private A[6]                               for A.h in 0..4                      a round ahead
//     for A.h in 0..6                              A[(A.h + 4) mod 6] = exp(X[A.h - 3])
//       A[A.h] = exp(X[4*h.0 + A.h - 1])         for h.0 in 0..3
//     for h.1 in 0..4                      ->      for A.h in 0..4
//       for r in 0..3                                A[(4*h.0 + A.h + 2) mod 6] =
//         Y[4*h.0 + h.1] max= A[h.1 + r]                 exp(X[4*h.0 + A.h + 1])
//                                                  for h.1 in 0..4
//                                                    for r in 0..3
//                                                      Y[4*h.0 + h.1] max=
//                                                          A[(4*h.0 + h.1 + r) mod 6]
//
// (Bounds of X left out.) What comes ahead are whole rounds, one where the part is no longer than
// two steps: the loops of the stage, which later primitives cut and annotate, are then the same
// there and inside. They make at most step - 1 elements that nobody reads.
//
// Requires: 1) the stage is attached, and this is the first primitive after compute_at, or the
// first in the line of a copy that cache_read makes; 2) scope is private or workspace, with one
// copy; 3) the loop that it is attached to is serial, with more than one round (a parallel loop may
// be around it: each of its iterations then has its own rounds ahead); 4) from round to round the
// part moves along the axis by a constant step, less than its extent, and along no other axis;
// 5) what the stage reads is there before that loop: made outside it, or inside the stage; 6) no
// vectorized loop runs over the axis, where it would wrap around, and nothing is prefetched.
// Inverse: none.
// Elsewhere: store_at outside compute_at, with fold_storage (Halide); rolling_buffer (TVM).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Roll& roll, const Stage& stage);

}  // namespace dovetail
