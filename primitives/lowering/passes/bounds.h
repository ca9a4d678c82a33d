// SPDX-License-Identifier: Apache-2.0
//
// Removes bounds of a nest that always hold, or turns them into ranges of loops.
#pragma once

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// Removes bounds that always hold, and selects with a bound that never does:
//
//   for h in 0..4   (0 <= h + 3 < 9 and 0 <= h + k < 9) ? …   ->   (0 <= h + k < 9) ? …
//
// It also removes clipped loops with a bound that never holds. A product with a factor that is left
// as 0 adds nothing, so that its statement is removed:
//
//   acc += ((9 <= h < 12) ? X[h] : 0) * W[h]   ->   nothing
Program simplify_bounds(Program program);
// `around`: the loops around this part of one kernel.
Block simplify_bounds(Block body, const Ranges& around = {});

// Bounds whose failure leaves an accumulation unchanged: those of the factors of a product.
//
//   acc[w] += ((0 <= h + kh - 1 < 56 and 0 <= w + kw - 1 < 56) ? X[…] : 0) * W[kh, kw]
//
// Where such a bound fails, the statement may be left out, as clip_loops, peel_tiles and the
// emitters do. These are the bounds that some store in the block has, each once, without those of
// reads from images, where a sampler returns the zero at no cost.
std::vector<Bound> all_zero_bounds(const Block& block, const Program& program);

// Turns a bound into the range of the reduction loop that it depends on:
//
//   for h in 0..7                                        for h in 0..7
//     registers acc[7, 16] …                               registers acc[7, 16] …
//     for kh in 0..3                                 ->    for kh in 0..3 where 0 <= h + kh - 1 < 7
//       for kw in 0..3                                       for kw in 0..3
//         acc[w, o] += ((0 <= h + kh - 1 < 7                   acc[w, o] += ((0 <= w + kw - 1 < 7)
//             and 0 <= w + kw - 1 < 7)                             ? X[h + kh - 1, w + kw - 1] : 0)
//             ? X[h + kh - 1, w + kw - 1] : 0) * W…                * W…
//
// Taps in the padding are then never executed (14 % of a 3x3 window's at 7x7, by its rows alone),
// and no padded copy of X is made. The bound on w stays, since w is inside kw, in the registers;
// peel_tiles handles it.
//
// Requires: the loop is serial; every statement inside accumulates, and adds nothing where the
// bound fails; the bound is over this loop, outside any div and mod, and loops around it. Reads of
// images are left as they are: a sampler's border costs nothing.
Program clip_loops(Program program);

}  // namespace dovetail
