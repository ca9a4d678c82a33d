// SPDX-License-Identifier: Apache-2.0
//
// Primitives that change which stages there are: inline removes one, rfactor splits one in two.
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// inline(): compute the stage's elements where they are read; the stage and its tensor are removed.
//
//   X.pad[h, w] = (0 <= h - 1 < 56 and …) ? X[h - 1, w - 1] : 0
//   Y[h, w] += X.pad[h + kh, w + kw] * W[kh, kw]
//   ->
//   Y[h, w] += ((0 <= h + kh - 1 < 56 and …) ? X[h + kh - 1, w + kw - 1] : 0) * W[kh, kw]
//
// Requires: 1) it is alone in its line; 2) another stage reads the stage's output; 3) each element
// is computed from reads alone: a reduction would be computed again at each of its reads.
// Inverse: none; without it the stage is computed.
// Elsewhere: compute_inline (TVM, Halide), inline (Exo).
//
// `stage`: name of the stage that is removed.
Result<Schedule> apply(const loop::Inline& primitive, const Schedule& schedule,
                       const std::string& stage);

// rfactor(L): compute a partial sum for each iteration of a reduction loop L. A stage becomes two:
// `Y.rf` computes the partial sums, with L as an output loop, and the stage itself adds them up and
// applies the epilogue. Where outputs are few, threads can share a reduction this way. Maxima are
// split like sums, and any stage of a region: with its parts in local memory, a softmax shares both
// its maximum and its sum among work-items.
//
//   loops: split(loop=k, factor=256) ; rfactor(k.0)        for k.0 in 0..4                   Y.rf
//   loops Y.rf: reorder(k.0, n) ; parallel(k.0)              for n in 0..64
//                                                              for k.1 in 0..256
//   for n in 0..64                                   ->          Y.rf[k.0, n] += X[…] * W[…]
//     for k in 0..1024                                     for n in 0..64                    gmm
//       Y[n] += X[k] * W[k, n]                               for k.0 in 0..4
//                                                              Y[n] += Y.rf[k.0, n]
//
// In the trace, primitives of `loops:` before rfactor shape both stages: `Y.rf` inherits these
// loops, and a line `loops Y.rf:` continues from there. The rest of `loops:` applies to the sum,
// whose loops are rebuilt: one per physical axis of Y, then L. Y.rf is stored like Y, with L's axis
// in front.
//
// Requires: 1) the loop exists and has no annotation; 2) it is a reduction loop; 3) the stage has
// no cache_write yet and no table of coefficients (Winograd's transforms have one); 4) once in a
// stage, and not in its parts.
// Elsewhere: rfactor (TVM, Halide).
struct SplitReduction {
  Stage partial;          // Y.rf, with the loops of the given stage
  Layout layout;          // Y.rf's
  Computation remaining;  // the operator's own stage: the final sum
};

Result<SplitReduction> split_reduction(const loop::RFactor& rfactor, const Stage& stage,
                                       const Layout& output_layout);

}  // namespace dovetail
