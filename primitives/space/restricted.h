// SPDX-License-Identifier: Apache-2.0
//
// Spaces with fewer values: what a choice is worth is measured against a space without it, with the
// same budget.
//
//   unfused       no computation runs inside another one's loops
//                     made_at.Y.wino   {apart workspace}   ->   {apart}
//   exact_only    no algorithm rounds otherwise than the definition's sum
//                     algorithm   {direct winograd_2 winograd_4}   ->   {direct}
#pragma once

#include "primitives/space/space.h"

namespace dovetail {

Space unfused(const Space& space);
Space exact_only(const Space& space);

}  // namespace dovetail
