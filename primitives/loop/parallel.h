// SPDX-License-Identifier: Apache-2.0
//
// parallel(loop): let threads share the iterations of a loop.
//
//   for o.0 in 0..4  ->  for o.0 in 0..4 parallel
//
// Requires: 1) the loop exists and has no annotation; 2) it is an output loop, so that no two
// iterations store the same element; when lowered 3) it is the outermost loop of its stage (fuse
// first to share more).
// Elsewhere: parallel (TVM, Halide), parallelize_loop (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Parallel& parallel, const Stage& stage);

}  // namespace dovetail
