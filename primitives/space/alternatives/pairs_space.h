// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of a space where a sum of products is made by pairs (primitives/algorithm/pairs.h): the
// parameters, layouts and loops are those of the direct sum, but that
//
//   unroll_part.i   is a group, whose elements, `apart` from each other, are written out
//   layout_tile.T.i is the whole reduction or divides a group, and keeps together what a group has
//                   side by side; there is no second level
//   store_at.bias   is no choice, because the stages beside the product read W, too
//   pad_at.X        neither: they read X.pad, too
//   storage.X.a     is no copy of windows, for the same reason
//   cache_read.T    none: a layout may cut between the elements of a group
//
// and the sums of X run over vectors of a group's first elements:
//
//   loops X.pairs: vectorize(i.lane) ; cache_write(tensor=X.pairs, at=w) ; parallel(h)
//
// The channels of an image are one group (3 of them: pairs(of=3)). Then X stays in planes,
// padded, and its sums run over vectors of neighbouring windows:
//
//   layout X: pad(axis=h, before=3, after=2) pad(axis=w, before=3, after=2)
//   loops X.pairs: split(loop=w, factor=16) ; reorder(w.0, kh, kw, w.1) ; vectorize(w.1)
//                  ; cache_write(tensor=X.pairs, at=w.0) ; parallel(h)

#include <optional>
#include <string>
#include <vector>

#include "primitives/space/choices.h"
#include "primitives/space/space.h"
#include "primitives/space/structure.h"

namespace dovetail {

// Groups of four, as far apart as vectors are long where that divides the reduction. Where loads
// spread values, a tile has several vectors that share them, and groups of three keep multiply-adds
// and additions equally busy (a Zen 5: 365 GFLOP/s against 331 of fours and 279 of the direct sum).
// Both signs, where two groups divide the reduction: activations that have a mean would lose digits
// with the length of the sum. The constant is scaled towards the activations: weights of N terms
// are about sqrt(2/N) large in networks that keep their activations near 1 (He et al., Delving Deep
// into Rectifiers, 2015).
algorithm::Pairs pairs_of(const Structure& direct, const Target& target);

// The output axis along which sums of X run in vectors of windows, as many as `lanes`.
struct WindowsInVectors {
  std::string axis;
  int64_t lanes = 1;
};
std::optional<WindowsInVectors> windows_in_vectors(const Structure& structure);

// Whether additions beside the products are few against them: of enough columns, rows and terms.
// Where X is padded for them, more terms are enough: on a Zen 5 7x7 windows of 3 channels take 0.80
// of the direct sum's time (64 columns, 112x112), 3x3 windows 1.08 (32 columns).
bool pays_in_pairs(const Structure& structure);

void keep_groups(const Structure& structure, std::vector<Parameter>& parameters);

// None where the stage has no loops of its own.
StageLoops loops_of_sums(const Structure& structure, const Choices& choices);

}  // namespace dovetail
