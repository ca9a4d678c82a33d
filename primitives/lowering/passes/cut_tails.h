// SPDX-License-Identifier: Apache-2.0
//
// The ends of loops that were cut by a factor which does not divide them.
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// A bound of a loop that is written out or in vectors says how many of its iterations are there.
// The loops around it that the bound speaks of are cut where it starts to fail for some of them,
// and in the pieces behind, each of one iteration, the inner loop is as long as it should be:
//
//   for j.0 in 0..63                                      for j.0 in 0..62
//     for j.1 in 0..16 vectorized                           for j.1 in 0..16 vectorized
//         where 0 <= 16*j.0 + j.1 < 1000         ->           Y[16*j.0 + j.1] = …
//       Y[16*j.0 + j.1] = …                               for j.1 in 0..8 vectorized
//                                                           Y[992 + j.1] = …
//
// A loop that is shared among threads, groups or work-items is cut inside the innermost of them:
// each iteration finds its piece. A bound of a work-item's own loop is asked by each item for
// itself. Bounds of serial loops stay what they are.
//
// It fails where a bound is left that no cut makes a number, and where a barrier is inside a piece
// that not every work-item reaches.
Result<Block> cut_tails(Block block);

}  // namespace dovetail
