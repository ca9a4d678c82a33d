// SPDX-License-Identifier: Apache-2.0
//
// unroll(loop): write out all iterations.
//
//   for w.1 in 0..7  ->  for w.1 in 0..7 unrolled
//
// Requires: 1) the loop exists and has no annotation; 2) at most 1024 iterations; when lowered
// 3) at most 2048 copies of one statement.
// Elsewhere: unroll (TVM, Halide), unroll_loop (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Unroll& unroll, const Stage& stage);

}  // namespace dovetail
