// SPDX-License-Identifier: Apache-2.0
//
// The layout primitives that change the axes of one tensor.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// `o` for o.0 and o.1, `a_b` otherwise.
std::string fused_name(const std::string& outer, const std::string& inner);

// split(axis, factor): store one axis as two, outer then inner, so that `factor` neighbours become
// contiguous once the inner one is last.
//
//   W[o:64, i:64]    split(axis=o, factor=16)    W[o.0:4, o.1:16, i:64]     o = 16·o.0 + o.1
//
// Requires: 1) the axis exists; 2) factor > 1; 3) factor divides its extent (pad first otherwise)
// and, on a fused axis, falls on one of its cuts.
// Inverse: fuse(o.0, o.1).
// Elsewhere: split (ALT), inner_tiles of linalg.pack (MLIR), divide_dim (Exo).
Result<Layout> apply(const layout::Split& split, const Layout& layout);

// fuse(outer, inner): make two neighbouring axes one; storage does not move.
//
//   X[n, h:56, w:56, i]    fuse(h, w)    X[n, h_w:3136, i]
//
// fuse(o.0, o.1) after a split restores o.
// Requires: 1) both axes exist; 2) inner directly follows outer.
// Inverse: split(h_w, 56).
// Elsewhere: fuse (ALT, whose text says merge), collapse_shape (MLIR), mult_dim (Exo).
Result<Layout> apply(const layout::Fuse& fuse, const Layout& layout);

// reorder(a, b, …): store the named axes in this order, in the positions that they occupy together;
// axes that are not named keep theirs.
//
//   X[n, i.0, i.1, h, w]    reorder(i.0, n, h, w, i.1)    X[i.0, n, h, w, i.1]
//
// Requires: 1) every name is an axis; 2) no name twice.
// Inverse: reorder back.
// Elsewhere: reorder (ALT), outer_dims_perm of linalg.pack (MLIR), rearrange_dim (Exo).
Result<Layout> apply(const layout::Reorder& reorder, const Layout& layout);

// pad(axis, before, after): store zeros in front of and behind an axis; in units of that axis.
//
//   X[h:56]    pad(axis=h, before=1, after=1)    X[h:58] offset h=-1
//   element h stores logical h - 1
//
// Padding the outer part of a split adds whole tiles. With pad, a convolution's border, and a tile
// that does not divide its extent (7, 13, 1000), become part of the storage, so that no loop needs
// a guard.
// Requires: 1) the axis exists and is not fused; 2) it is the outermost part of its dimension (pad
// before split); 3) before, after >= 0 and not both 0.
// Inverse: none as a primitive (dropping the zeros loses nothing).
// Elsewhere: pad (ALT), padding_value of linalg.pack (MLIR), pad_einsum (TVM).
Result<Layout> apply(const layout::Pad& pad, const Layout& layout);

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
Result<Layout> apply(const layout::Unfold& unfold, const Layout& layout);

}  // namespace dovetail
