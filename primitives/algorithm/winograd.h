// SPDX-License-Identifier: Apache-2.0
//
// winograd(tile=m): a convolution with 3 taps as a product of transformed tiles, F(m, 3) along each
// of its window axes: m outputs of an axis take m + 2 multiplications instead of 3·m.
//
//   Y[n, o, h] = sum(i, kh) X[n, i, h + kh - 1] * W[o, i, kh]                          c1d
//
// becomes, with a in 0..m+2 and t in 0..H/m,
//
//   W.wino[a, o, i]     = sum(kh) W[o, i, kh] * G[a, kh]                               W.wino once
//   X.wino[a, n, i, t]  = sum(r)  X[n, i, m*t + r - 1] * BT[a, r]                      X.wino
//   Y.wino[a, n, o, t]  = sum(i)  X.wino[a, n, i, t] * W.wino[a, o, i]                 Y.wino
//   Y[n, o, h]          = sum(a)  Y.wino[a, n, o, h div m] * AT[h mod m, a]            c1d
//
// with one a, t and table per window axis, and the epilogue in the last stage. Each tensor has its
// own layout line (`layout X.wino:`), each stage its own loops line (`loops Y.wino:`; the last one
// is `loops:`). The weights are transformed once, at build time. Elements outside X are zero, as in
// the definition: the input transform checks its own bounds.
//
// Requires: 1) m = 2 or 4; 2) a convolution whose windows have 3 taps, stride 1 and dilation 1
// along every axis; 3) a reduction beside the windows; 4) the last stage's loops are split at
// tiles: by Y's layout (`pad` up to whole tiles, `split` by m), by its own line, or by default,
// where m divides the extent.
//
// The transforms are sums over small tables of constants whose loops are unrolled: a zero drops its
// term, 1 and -1 cost no multiplication, and several axes are transformed one after the other
// (primitives/lowering/nest/factored_sum.h). Inexact: results differ from the direct sum by more
// than the order of its additions would explain; measure/check/output_check.h has the tolerance.
// After A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, 2015; points are
// chosen as in B. Barabasz et al., Error Analysis and Improving the Accuracy of Winograd
// Convolution for Deep Neural Networks, 2020, but in pairs, whose sums are shared.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "primitives/algorithm/planned_stage.h"

namespace dovetail {

// The four stages of `direct`.
Result<std::vector<PlannedStage>> winograd_stages(const PlannedStage& direct,
                                                  const algorithm::Winograd& algorithm);

// RMS amplification of rounding errors by F(tile, 3) along one window axis: 2.24 for F(2,3), 5.13
// for F(4,3) (9.71 at the points 0, 1, -1, 2, -2). A product's rounding error enters an output
// multiplied by AT, and the product is as large as its rows of G and BT:
//   max over outputs of sqrt(sum over a of AT[h, a]² · |G[a, :]|² · |BT[a, :]|²)
double amplification(int64_t tile);

// Name of the stage, and of its tensor, that is the matrix product.
inline constexpr const char* kWinogradProduct = "Y.wino";

}  // namespace dovetail
