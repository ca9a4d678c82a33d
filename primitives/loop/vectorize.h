// SPDX-License-Identifier: Apache-2.0
//
// vectorize(loop): run all iterations of a loop at once, as the lanes of a vector.
//
//   for o.1 in 0..16  ->  for o.1 in 0..16 vectorized
//
// Requires: 1) the loop exists and has no annotation; 2) it is an output loop of at most 64
// iterations (wider vectors are cut into the target's own), the only one of its stage; when lowered
// 3) it is the innermost loop and 4) each tensor that moves with it moves by one element.
// Elsewhere: vectorize (TVM, Halide), vectorize_loop (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Vectorize& vectorize, const Stage& stage);

}  // namespace dovetail
