// SPDX-License-Identifier: Apache-2.0
//
// Tails of loops that were split by a factor which does not divide them.
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// A bound of an unrolled or vectorized loop limits its iterations. The loops around it that the
// bound mentions are cut where it starts to fail, and in the pieces after that, each of one
// iteration, the inner loop has its exact length:
//
//   for j.0 in 0..63                                      for j.0 in 0..62
//     for j.1 in 0..16 vectorized                           for j.1 in 0..16 vectorized
//         where 0 <= 16*j.0 + j.1 < 1000         ->           Y[16*j.0 + j.1] = …
//       Y[16*j.0 + j.1] = …                               for j.1 in 0..8 vectorized
//                                                           Y[992 + j.1] = …
//
// A parallel or bound loop is cut inside the innermost of them: each iteration selects its piece.
// Each work-item checks a bound of its own loop. Bounds of serial loops stay as they are.
//
// Fails where a bound is left that no cut makes a number, and where a barrier is inside a piece
// that not every work-item reaches.
Result<Block> cut_tails(Block block);

}  // namespace dovetail
