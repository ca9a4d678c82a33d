// SPDX-License-Identifier: Apache-2.0
//
// Tiles whose lanes are far apart, in the reads and in the stores, are turned: the unrolled loop
// around the lanes is vectorized instead.
//
//   for c in 0..16 unrolled                            for p in 0..16 unrolled
//     for p in 0..16 vectorized                          for c in 0..16 vectorized
//       Y[p, c] = A[p, c]                        ->        Y[p, c] = A[p, c]
//
// Such tiles occur where a concatenation has both transposed and untransposed tensors, which share
// their loops (core/codegen/llvm/emit/transposition.h handles the transposed ones). Peeling has
// separated the tensors before (peel_loops.h).
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// The error names a vectorized loop whose reads are far apart but which cannot be turned, for
// example because a bound splits its lanes.
Result<Program> transpose_tile_lanes(Program program);

}  // namespace dovetail
