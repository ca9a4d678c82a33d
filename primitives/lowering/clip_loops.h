// SPDX-License-Identifier: Apache-2.0
//
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
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

Program clip_loops(Program program);

}  // namespace dovetail
