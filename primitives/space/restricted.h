// SPDX-License-Identifier: Apache-2.0
//
// Spaces with fewer values, for ablations: the worth of a choice is measured against a space
// without it, with the same budget.
//
//   unfused       no computation runs inside another one's loops
//                     compute_at.Y.wino   {apart workspace}   ->   {apart}
//   allowed_only  only algorithms that `allows` accepts for the task
//                     algorithm   {direct winograd_2 winograd_4}   ->   {direct winograd_2}
#pragma once

#include "primitives/algorithm/allowed_algorithms.h"
#include "primitives/space/space.h"

namespace dovetail {

Space unfused(const Space& space);
// The direct sum is the default where the default's algorithm is not allowed.
Space allowed_only(const Space& space, const AllowsAlgorithm& allows);

}  // namespace dovetail
