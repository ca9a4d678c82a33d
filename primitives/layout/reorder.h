// SPDX-License-Identifier: Apache-2.0
//
// reorder(a, b, …): store the named axes in this order, in the places that they hold together;
// axes that are not named stay where they are.
//
//   X[n, i.0, i.1, h, w]    reorder(i.0, n, h, w, i.1)    X[i.0, n, h, w, i.1]
//
// Requires: 1) every name is an axis; 2) no name twice.
// Inverse: reorder back.
// Elsewhere: reorder (ALT), outer_dims_perm of linalg.pack (MLIR), rearrange_dim (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Layout> apply(const layout::Reorder& reorder, const Layout& layout);

}  // namespace dovetail
