// SPDX-License-Identifier: Apache-2.0
//
// pad(axis, before, after): store zeros in front of and behind an axis; in units of that axis.
//
//   X[h:56]    pad(axis=h, before=1, after=1)    X[h:58] offset h=-1
//   element h stores logical h - 1
//
// Padding the outer part of a split adds whole tiles. It is how a convolution's border, and a tile
// that does not divide its extent (7, 13, 1000), become part of the storage, so that no loop needs
// a guard.
// Requires: 1) the axis exists and is not fused; 2) it is the outermost part of its dimension (pad
// before split); 3) before, after >= 0 and not both 0.
// Inverse: none as a primitive (dropping the zeros loses nothing).
// Elsewhere: pad (ALT), padding_value of linalg.pack (MLIR), pad_einsum (TVM).
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Layout> apply(const layout::Pad& pad, const Layout& layout);

}  // namespace dovetail
