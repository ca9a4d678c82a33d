// SPDX-License-Identifier: Apache-2.0
//
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
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

struct SplitReduction {
  Stage partial;          // Y.rf, with the loops of the given stage
  Layout layout;          // of Y.rf
  Computation remaining;  // what the operator's own stage computes from now on
};

Result<SplitReduction> split_reduction(const loop::RFactor& rfactor, const Stage& stage,
                                       const Layout& output_layout);

// Of a stage that cannot be split in two: always an error, which says why.
Result<Stage> apply(const loop::RFactor& rfactor, const Stage& stage);

}  // namespace dovetail
