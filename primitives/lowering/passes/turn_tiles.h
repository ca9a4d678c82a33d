// SPDX-License-Identifier: Apache-2.0
//
// Tiles whose lanes lie far apart, in what is read and in what is written, are turned: neighbours
// along the unrolled loop around them become the lanes.
//
//   for c in 0..16 unrolled                            for p in 0..16 unrolled
//     for p in 0..16 vectorized                          for c in 0..16 vectorized
//       Y[p, c] = A[p, c]                        ->        Y[p, c] = A[p, c]
//
// Such tiles are left where tensors are joined of which one is transposed and another one is not:
// loops are of all of them (core/codegen/llvm/emit/transposition.h has the others), and bounds have
// parted what comes of each by now (peel_loops.h).
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// The error names a vectorized loop whose reads lie far apart but which cannot be turned, as where
// a bound parts its lanes.
Result<Program> turn_tiles(Program program);

}  // namespace dovetail
