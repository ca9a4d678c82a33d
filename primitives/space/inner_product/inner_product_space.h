// SPDX-License-Identifier: Apache-2.0
#pragma once

// The alternative that computes a sum of products by pairs
// (primitives/algorithm/winograd_inner_product.h). Parameters, layouts and loops are those of the
// direct sum, except:
//
//   unroll_part.i   is one group, whose elements, `apart` from each other, are unrolled
//   layout_tile.T.i is the whole reduction or divides a group, and stores neighbouring elements of
//                   a group together; there is no second level
//   store_at.bias   is off, because the stages beside the product read W, too
//   pad_at.X        is off: they read X.pad, too
//   storage.X.a     does not unfold, for the same reason
//   cache_read.T    is off: a layout may split a group
//
// The sums of X run over vectors of a group's first elements:
//
//   loops X.pairs: vectorize(i.lane) ; cache_write(tensor=X.pairs, at=w) ; parallel(h)
//
// Where the channels of an image are one group (3 of them: winograd_inner_product(of=3)), X stays
// in planes, padded, and its sums run over vectors of neighbouring windows:
//
//   layout X: pad(axis=h, before=3, after=2) pad(axis=w, before=3, after=2)
//   loops X.pairs: split(loop=w, factor=16) ; reorder(w.0, kh, kw, w.1) ; vectorize(w.1)
//                  ; cache_write(tensor=X.pairs, at=w.0) ; parallel(h)

#include <optional>
#include <string>

#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/space.h"

namespace dovetail {

// Sums of X in vectors of `lanes` neighbouring windows along output axis `axis`.
struct WindowsInVectors {
  std::string axis;
  int64_t lanes = 1;
};

struct InnerProductPlan {
  algorithm::WinogradInnerProduct algorithm;
  ContractionPlan product;  // its group is the algorithm's
  std::optional<WindowsInVectors> windows;
};

// Groups of four, whose elements are a vector's length apart where that divides the reduction.
// Where loads broadcast, the vectors of a tile share values, and groups of three keep multiply-adds
// and additions equally busy (a Zen 5: 365 GFLOP/s against 331 of fours and 279 of the direct sum).
// Both signs are used where two groups divide the reduction: with one, activations with a nonzero
// mean lose digits as the sum grows. The constant is scaled to the size of the activations: weights
// of N terms are about sqrt(2/N) large in networks that keep their activations near 1 (He et al.,
// Delving Deep into Rectifiers, 2015).
InnerProductPlan inner_product_plan(ContractionPlan direct, const Target& target);

// nullopt where the region is no sum that pairs compute, and where additions do not run beside
// multiply-adds. Not offered on AVX2, whose multiply-adds cannot broadcast a value of X, and whose
// 16 registers cannot hold the sums beside broadcast values and two vectors of weights (a Zen 3
// takes 1.3 to 1.8 times as long by pairs).
//
// The default where there are enough columns, rows and terms that the extra additions are cheap
// against the products. Where X is padded for them, more terms are required: on a Zen 5 7x7 windows
// of 3 channels take 0.80 of the direct sum's time (64 columns, 112x112), 3x3 windows 1.08 (32
// columns).
//
// With a `layout`, the inputs and the output have it; nullopt where values of a group would not be
// found in vectors there.
std::optional<Alternative> inner_product_alternative(
    const Region& region, const Target& target, RowAxes rows,
    const std::optional<FixedLayout>& layout = std::nullopt);

}  // namespace dovetail
