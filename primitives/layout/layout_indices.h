// SPDX-License-Identifier: Apache-2.0
//
// An element's indices in a layout, from the tensor's to the storage's and back:
//
//   Y[n=1, o=64, h=56] as [o@16:4] [n@1:1] [h@1:56] [o@1:16]
//   physical [o.0, 0, h, o.1]   logical [0, 16*o.0 + o.1, h]
//
// Every expression is over variables that have a range in `ranges`.
#pragma once

#include <vector>

#include "core/ir/layout/layout.h"

namespace dovetail {

// The first digit of an axis goes on beyond its extent where the index does.
std::vector<IndexExpr> logical_indices(const Layout& layout, const std::vector<IndexExpr>& physical,
                                       const Ranges& ranges);

// Layouts without overlap only.
std::vector<IndexExpr> physical_indices(const Layout& layout, const std::vector<IndexExpr>& logical,
                                        const Ranges& ranges);

}  // namespace dovetail
