// SPDX-License-Identifier: Apache-2.0
//
// The default of one of a space's algorithms: what a search starts at when it turns to it.
//
//   space.decode(default_point_of(space, "winograd_4"))
#pragma once

#include <string_view>

#include "primitives/space/space.h"

namespace dovetail::testing {

// `algorithm` is a label of the space's first parameter.
Point default_point_of(const Space& space, std::string_view algorithm);

}  // namespace dovetail::testing
