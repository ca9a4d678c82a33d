// SPDX-License-Identifier: Apache-2.0
//
// fuse(outer, inner): make two neighbouring axes one; storage does not move.
//
//   X[n, h:56, w:56, i]    fuse(h, w)    X[n, h_w:3136, i]
//
// fuse(o.0, o.1) after a split gives o again.
// Requires: 1) both axes exist; 2) inner directly follows outer.
// Inverse: split(h_w, 56).
// Elsewhere: fuse (ALT, whose text says merge), collapse_shape (MLIR), mult_dim (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Layout> apply(const layout::Fuse& fuse, const Layout& layout);

}  // namespace dovetail
