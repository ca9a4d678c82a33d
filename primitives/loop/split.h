// SPDX-License-Identifier: Apache-2.0
//
// split(loop, factor): run one loop as two, outer then inner.
//
//   for w in 0..56               for w.0 in 0..8
//     s(w)              ->         for w.1 in 0..7
//                                    s(7*w.0 + w.1)
//
// Requires: 1) the loop exists and has no annotation yet; 2) factor > 1; 3) factor divides its
// extent (pad the layout first otherwise). That every cut of an axis belongs to one divisibility
// chain, over layouts and loops, is checked when accesses are rewritten.
// Inverse: fuse(w.0, w.1).
// Elsewhere: split (TVM, Halide), tile (ALT's loop space), divide_loop (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Split& split, const Stage& stage);

}  // namespace dovetail
