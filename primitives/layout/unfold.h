// SPDX-License-Identifier: Apache-2.0
//
// unfold(axis, size B, stride S): store the windows that tiles of the output read, overlap
// included, so that each tile's input is contiguous (ALT §4.1).
//
//   X[h:58]    unfold(axis=h, size=6, stride=4)    X[h.0:14, h.1:6]
//   element [t, b] = X[4·t + b], beyond the end: 0
//
// tiles = ceil((extent - B) / S) + 1. For an output tile of ht rows under a window of stride V,
// dilation δ and K taps, B = V·(ht - 1) + δ·(K - 1) + 1 and S = V·ht; the tile index is then the
// output's own outer loop and no division remains. Costs memory: tiles·B / extent per axis.
// Requires: 1) the axis exists, is not fused and is the outermost part of its dimension;
// 2) 1 <= S <= B (S > B would lose data); 3) B <= extent.
// Inverse: any tile that holds the element.   Elsewhere: im2col is unfold at ht = 1.
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Layout> apply(const layout::Unfold& unfold, const Layout& layout);

}  // namespace dovetail
