// SPDX-License-Identifier: Apache-2.0
#pragma once

// for_each_point: every point of a space, in lexicographic order of its domains.

#include <functional>

#include "primitives/space/space.h"

namespace dovetail {

void for_each_point(const Space& space, const std::function<void(const Point&)>& visit);

}  // namespace dovetail
