// SPDX-License-Identifier: Apache-2.0
//
// Elements between neighbours along a loop, for an array stored row by row:
//
//   element_stride({i.0, 4*h + i.1}, {8, 64}, "i.1")      1
//   element_stride({i.0, 4*h + i.1}, {8, 64}, "h")        4
//   element_stride({i.0, 4*h + i.1}, {8, 64}, "i.0")      64
//   element_stride({h div 2}, {8}, "h")                   an error: it is not constant
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"

namespace dovetail {

// The sum of coefficient times stride over the array's axes.
Result<int64_t> element_stride(const std::vector<IndexExpr>& indices,
                               const std::vector<int64_t>& extents, const std::string& loop);

}  // namespace dovetail
