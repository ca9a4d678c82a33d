// SPDX-License-Identifier: Apache-2.0
//
// reorder(a, b, …): run the named loops in this order, in the places that they hold together; the
// others stay where they are.
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
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Reorder& reorder, const Stage& stage);

}  // namespace dovetail
