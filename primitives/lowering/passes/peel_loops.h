// SPDX-License-Identifier: Apache-2.0
//
// Loop peeling, so that bounds are not checked in iterations in which they always hold.
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

// Cuts a serial loop where a bound starts and stops holding into pieces, each without the bound:
//
//   for w in 0..58                                   for w in 0..1    Y[w] = 0
//     Y[w] = (0 <= w - 1 < 56) ? X[w - 1] : 0   ->   for w in 0..56   Y[w + 1] = X[w]
//                                                    for w in 0..1    Y[w + 57] = 0
//
// A piece in which another bound starts or stops holding is cut again, so that a concatenation is
// one copy for each of its parts.
//
// Done for nests without register tiles, that is padding passes: their body is one store, so the
// copies cost nothing, and the middle one is a plain copy at the speed of memory.
Program peel_bounds(Program program);

// Cuts a serial loop around register tiles where a bound starts and stops holding for the whole
// tile, and in the border tiles the window's loop likewise. The middle has no bound; in each border
// it is known at every unrolled point, so that the taps that it excludes are never emitted:
//
//   for w.0 in 0..8                            for w.0 in 0..1
//     registers acc[7]                           registers acc[7]
//     for kw in 0..3                             for kw in 0..1
//       for w.1 in 0..7 unrolled                   for w.1 in 0..7 unrolled
//         acc[w.1] += ((0 <= 7*w.0 +                 acc[w.1] += ((0 <= w.1 - 1 < 56)
//             w.1 + kw - 1 < 56)                         ? X[w.1 - 1] : 0) * W[0]
//             ? X[7*w.0 + w.1 + kw - 1]          for kw in 0..2
//             : 0) * W[kw]              ->         …  acc[w.1] += X[w.1 + kw] * W[kw + 1]
//     …                                        for w.0 in 0..6
//                                                registers acc[7]
//                                                for kw in 0..3
//                                                  …  acc[w.1] += X[7*w.0 + w.1 + kw + 6] * W[kw]
//                                              for w.0 in 0..1    as the first, mirrored
//
// A parallel loop is cut inside, because its iterations are distributed together:
//
//   for h in 0..112 parallel     ->   for h in 0..112 parallel
//                                       for h.piece in 0..1 where 0 <= h + h.piece < 1     …
//                                       for h.piece in 0..1 where 1 <= h + h.piece < 111   …
//                                       for h.piece in 0..1 where 111 <= h + h.piece < 112 …
//
// Only bounds whose failure adds nothing are considered (bounds.h), and only up to a budget of
// unrolled statements: where the pieces of all loops would exceed it, border pieces are not cut
// again, or nothing is; each bound that remains costs a mask.
//
// Why pieces and not one nest with a test around a fast and a slow body: the slow body of a tile of
// 3x3 windows costs 2-3 times the fast one, the border pieces here less than the fast one.
Program peel_tiles(Program program);

}  // namespace dovetail
