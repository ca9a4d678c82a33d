// SPDX-License-Identifier: Apache-2.0
//
// cache_write(tensor, at=loop): accumulate in registers what the loops inside `loop` produce, and
// store it once they are done.
//
//   for w.0 in 0..8                        for w.0 in 0..8
//     for i in 0..64                         registers acc[7]
//       for w.1 in 0..7           ->         for w.1 in 0..7
//         Y[7*w.0 + w.1] += …                  acc[w.1] = 0
//                                            for i in 0..64
//                                              for w.1 in 0..7
//                                                acc[w.1] += …
//                                            for w.1 in 0..7
//                                              Y[7*w.0 + w.1] = epilogue(acc[w.1])
//
// at=root puts all of it in registers. A reduction loop outside `at` makes partial sums go through
// Y: the tile starts from Y but in the first round, and only the last one applies the epilogue.
// stores=streaming stores past the caches (`= … streaming`): for an output larger than they are,
// which nobody reads soon.
// Requires: 1) tensor is the stage's output; 2) the loop exists; 3) only once per stage; when
// lowered 4) at most 4096 elements and 5) a vectorized loop is inside the tile; to stream, besides,
// 6) a CPU, 7) whole vectors at their alignment, 8) no reduction loop outside `at`.
// Elsewhere: cache_write (TVM), store_in Register (Halide), stage_mem (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::CacheWrite& cache_write, const Stage& stage);

}  // namespace dovetail
