// SPDX-License-Identifier: Apache-2.0
//
// What every layout primitive asks first: does the axis exist, and is it one that may grow.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"

namespace dovetail {

// Index of the axis; the error starts with the primitive as printed and lists the axes that exist.
Result<int> require_axis(const std::string& primitive, const std::string& axis,
                         const Layout& layout);
// Also: one digit only, and the outermost (coarsest) of its dimension.
Result<int> require_outermost_axis(const std::string& primitive, const std::string& axis,
                                   const Layout& layout);
// Storage of a layout must stay addressable.
Result<Layout> require_storable(const std::string& primitive, Layout layout);
// `o` for o.0 and o.1, `a_b` otherwise.
std::string fused_name(const std::string& outer, const std::string& inner);

}  // namespace dovetail
