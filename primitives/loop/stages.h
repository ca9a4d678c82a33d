// SPDX-License-Identifier: Apache-2.0
//
// Which stages there are: one put where it is read, one made two.
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// inline(): put what the stage computes where it is read; the stage and its tensor are gone.
//
//   X.pad[h, w] = (0 <= h - 1 < 56 and …) ? X[h - 1, w - 1] : 0
//   Y[h, w] += X.pad[h + kh, w + kw] * W[kh, kw]
//   ->
//   Y[h, w] += ((0 <= h + kh - 1 < 56 and …) ? X[h + kh - 1, w + kw - 1] : 0) * W[kh, kw]
//
// Requires: 1) it is alone in its line; 2) the stage is not the operator itself; 3) the stage
// copies one tensor, element by element: a sum would be computed again at each of its reads.
// Inverse: none; a stage without it is computed.
// Elsewhere: compute_inline (TVM, Halide), inline (Exo).
//
// `stage` is the name of the one that goes.
Result<Schedule> apply(const loop::Inline& primitive, const Schedule& schedule,
                       const std::string& stage);

// rfactor(L): sum up the iterations of a reduction loop L apart. The operator becomes two stages:
// `Y.rf` computes one partial sum for each iteration of L, which is an output loop there, and the
// operator's own stage adds them up and applies the epilogue. Where outputs are few, threads can
// share a reduction this way.
//
//   loops: split(loop=k, factor=256) ; rfactor(k.0)        for k.0 in 0..4                   Y.rf
//   loops Y.rf: reorder(k.0, n) ; parallel(k.0)              for n in 0..64
//                                                              for k.1 in 0..256
//   for n in 0..64                                   ->          Y.rf[k.0, n] += X[…] * W[…]
//     for k in 0..1024                                     for n in 0..64                    gmm
//       Y[n] += X[k] * W[k, n]                               for k.0 in 0..4
//                                                              Y[n] += Y.rf[k.0, n]
//
// How the trace goes on: what `loops:` says before rfactor shapes both; `Y.rf` inherits these
// loops, and a line `loops Y.rf:` continues from there. The rest of `loops:` is for the sum, whose
// loops are made anew: one per physical axis of Y, then L. Y.rf is stored like Y, with L's axis in
// front.
//
// Requires: 1) the loop exists and has no annotation; 2) it is a reduction loop; 3) the stage is
// the operator's own, has no cache_write yet and multiplies tensors (Winograd's transforms do not);
// 4) only once.
// Elsewhere: rfactor (TVM, Halide).
struct SplitReduction {
  Stage partial;          // Y.rf, with the loops of the given stage
  Layout layout;          // of Y.rf
  Computation remaining;  // what the operator's own stage computes from now on
};

Result<SplitReduction> split_reduction(const loop::RFactor& rfactor, const Stage& stage,
                                       const Layout& output_layout);

}  // namespace dovetail
