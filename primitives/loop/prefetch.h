// SPDX-License-Identifier: Apache-2.0
//
// prefetch(tensor, at=loop, distance=D): at the start of each iteration of `loop`, ask the caches
// for what iteration + D reads of `tensor` first: the cache lines from its first element on, as
// many as the iteration reads in one stretch, at most 8.
//
//   for i.0 in 0..32                  for i.0 in 0..32 prefetch W[o.0, i.0 + 2, 0, 0] lines 8
//     for i.1 in 0..16          ->      for i.1 in 0..16
//       … W[o.0, i.0, i.1, o.1]           … W[o.0, i.0, i.1, o.1]
//
// A hint: the last D iterations ask for what is never read, and nothing else changes. Worth trying
// for weights that come from beyond the second cache and are walked in steps that its own
// prefetcher does not follow.
// Requires: 1) the stage reads the tensor; 2) the loop exists; 3) D from 1 to 64; 4) once per
// tensor and loop; when lowered 5) a CPU, 6) the loop is still there and not vectorized, 7) the
// tensor is in a buffer: no part of it that another stage makes inside this one.
// Elsewhere: prefetch (Halide), software prefetch intrinsics.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage);

}  // namespace dovetail
