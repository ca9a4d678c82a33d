// SPDX-License-Identifier: Apache-2.0
//
// A serial loop over which a bound starts and ends to hold is run in pieces, each without it:
//
//   for w in 0..58                                   for w in 0..1    Y[w] = 0
//     Y[w] = (0 <= w - 1 < 56) ? X[w - 1] : 0   ->   for w in 0..56   Y[w + 1] = X[w]
//                                                    for w in 0..1    Y[w + 57] = 0
//
// Done for nests without register tiles, that is padding passes: their body is one store, so the
// three copies cost nothing, and the middle one is a plain copy at the speed of memory.
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

Program peel_bounds(Program program);

}  // namespace dovetail
