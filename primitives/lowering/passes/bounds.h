// SPDX-License-Identifier: Apache-2.0
//
// Bounds of a nest vanish where they always hold, or become the range of a loop.
#pragma once

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// Bounds that always hold vanish, and with one that never does the whole selection:
//
//   for h in 0..4   (0 <= h + 3 < 9 and 0 <= h + k < 9) ? …   ->   (0 <= h + k < 9) ? …
//
// and with a clipped loop's bound that never holds the loop. A product with a factor that is left
// as 0 adds nothing, and is no statement any more:
//
//   acc += ((9 <= h < 12) ? X[h] : 0) * W[h]   ->   nothing
Program simplify_bounds(Program program);
// `around`: the loops around this part of one kernel.
Block simplify_bounds(Block body, const Ranges& around = {});

// Bounds whose failing makes a sum grow by nothing: those of the factors of a product.
//
//   acc[w] += ((0 <= h + kh - 1 < 56 and 0 <= w + kw - 1 < 56) ? X[…] : 0) * W[kh, kw]
//
// Where such a bound fails the statement may be left out: what clip_loops, peel_bounds and the
// emitters live on. These are those that some store in the block has, each once; bounds of reads
// from images are left out where a sampler gives the zero for nothing.
std::vector<Bound> all_zero_bounds(const Block& block, const Program& program);

// A bound becomes the range of the reduction loop that it moves with:
//
//   for h in 0..7                                        for h in 0..7
//     registers acc[7, 16] …                               registers acc[7, 16] …
//     for kh in 0..3                                 ->    for kh in 0..3 where 0 <= h + kh - 1 < 7
//       for kw in 0..3                                       for kw in 0..3
//         acc[w, o] += ((0 <= h + kh - 1 < 7                   acc[w, o] += ((0 <= w + kw - 1 < 7)
//             and 0 <= w + kw - 1 < 7)                             ? X[h + kh - 1, w + kw - 1] : 0)
//             ? X[h + kh - 1, w + kw - 1] : 0) * W…                * W…
//
// Taps in the padding are then never executed (of a 3x3 window at 7x7 that is 14 % by its rows
// alone), and no padded copy of X is made. The bound on w stays: w is inside kw, in the registers;
// peel_bounds sees to it.
//
// Requires: the loop is serial; every statement inside accumulates and adds nothing where the bound
// fails; the bound is over this loop, outside any div and mod, and loops around it. Reads of images
// are left as they are: a sampler's border costs nothing.
Program clip_loops(Program program);

}  // namespace dovetail
