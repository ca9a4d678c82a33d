// SPDX-License-Identifier: Apache-2.0
//
// The inverse of print(space, point), which shows that a printed point is whole and unambiguous.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "primitives/space/space.h"

namespace dovetail::testing {

// Accepts long and short names.
Result<Point> parse_point(const Space& space, std::string_view text);

}  // namespace dovetail::testing
