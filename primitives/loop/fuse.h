// SPDX-License-Identifier: Apache-2.0
//
// fuse(outer, inner): run two nested loops as one.
//
//   for h in 0..56               for h_w in 0..3136
//     for w in 0..56    ->         s(h_w div 56, h_w mod 56)
//       s(h, w)
//
// Requires: 1) both loops exist and have no annotation; 2) inner directly follows outer; 3) both
// are output loops or both reductions.
// Inverse: split(h_w, 56).
// Elsewhere: fuse (TVM, Halide), mult_loops (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Fuse& fuse, const Stage& stage);

}  // namespace dovetail
