// SPDX-License-Identifier: Apache-2.0
//
// Primitives that change which loops there are, and their order.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// split(loop, factor[, tail=cut]): run one loop as two, outer then inner.
//
//   for w in 0..56               for w.0 in 0..8
//     s(w)              ->         for w.1 in 0..7
//                                    s(7*w.0 + w.1)
//
// With tail=cut the factor need not divide the extent; the last, shorter round is a separate nest
// where the inner loop is unrolled or vectorized, and else has fewer iterations:
//
//   for w in 0..57                      for w.0 in 0..7
//     s(w)              -> cut ->         for w.1 in 0..8 vectorized
//                                           s(8*w.0 + w.1)
//                                       for w.1 in 0..1 vectorized
//                                         s(56 + w.1)
//
// Requires: 1) the loop exists and has no annotation yet; 2) factor > 1; 3) factor divides its
// extent (pad the layout or cut the tail otherwise), or with tail=cut is less than it; when lowered
// 4) no cache_write is inside a reduction whose tail is cut. Whether all splits of an axis, in
// layouts and loops, form one divisibility chain is checked when accesses are rewritten.
// Inverse: fuse(w.0, w.1).
// Elsewhere: split (TVM, Halide), tile (ALT's loop space), divide_loop (Exo, with tail="cut").
Result<Stage> apply(const loop::Split& split, const Stage& stage);

// fuse(outer, inner): run two nested loops as one.
//
//   for h in 0..56               for h_w in 0..3136
//     for w in 0..56    ->         s(h_w div 56, h_w mod 56)
//       s(h, w)
//
// Requires: 1) both loops exist and have no annotation; 2) inner directly follows outer; 3) both
// are output loops or both reductions; 4) neither comes from a split whose tail was cut.
// Inverse: split(h_w, 56).
// Elsewhere: fuse (TVM, Halide), mult_loops (Exo).
Result<Stage> apply(const loop::Fuse& fuse, const Stage& stage);

// reorder(a, b, …): run the named loops in this order, in the positions that they occupy together;
// the others keep theirs.
//
//   for h                        for w
//     for w             ->         for h
//       s(h, w)                      s(h, w)
//
// Always legal: sums may be taken in any order (the check on small integers is exact in every
// order; on real data within a bound).
// Requires: 1) every name is a loop; 2) no name twice.
// Inverse: reorder back.
// Elsewhere: reorder (TVM, Halide), reorder_loops (Exo).
Result<Stage> apply(const loop::Reorder& reorder, const Stage& stage);

}  // namespace dovetail
