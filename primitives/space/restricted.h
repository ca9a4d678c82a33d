// SPDX-License-Identifier: Apache-2.0
//
// Spaces with fewer values: what a choice is worth is measured against a space without it, with the
// same budget.
//
//   unfused       no computation runs inside another one's loops
//                     made_at.Y.wino   {apart workspace}   ->   {apart}
//   allowed_only  no algorithm rounds otherwise than the task's numbers stand
//                     algorithm   {direct winograd_2 winograd_4}   ->   {direct winograd_2}
#pragma once

#include "primitives/algorithm/allowed_algorithms.h"
#include "primitives/space/space.h"

namespace dovetail {

Space unfused(const Space& space);
// Where the default's algorithm is not allowed, the default is the direct sum.
Space allowed_only(const Space& space, const AllowsAlgorithm& allows);

}  // namespace dovetail
