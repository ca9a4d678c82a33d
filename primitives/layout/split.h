// SPDX-License-Identifier: Apache-2.0
//
// split(axis, factor): store one axis as two, outer then inner, so that `factor` neighbours become
// contiguous once the inner one is last.
//
//   W[o:64, i:64]    split(axis=o, factor=16)    W[o.0:4, o.1:16, i:64]     o = 16·o.0 + o.1
//
// Requires: 1) the axis exists; 2) factor > 1; 3) factor divides its extent (pad first otherwise)
// and, on a fused axis, falls on one of its cuts.
// Inverse: fuse(o.0, o.1).
// Elsewhere: split (ALT), inner_tiles of linalg.pack (MLIR), divide_dim (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Layout> apply(const layout::Split& split, const Layout& layout);

}  // namespace dovetail
