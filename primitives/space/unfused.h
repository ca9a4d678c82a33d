// SPDX-License-Identifier: Apache-2.0
//
// A space without fusion: no computation runs inside another one's loops. What fusing is worth is
// measured against it, with the same budget.
//
//   made_at.Y.wino   {apart workspace}   ->   {apart}
#pragma once

#include "primitives/space/space.h"

namespace dovetail {

Space unfused(const Space& space);

}  // namespace dovetail
