// SPDX-License-Identifier: Apache-2.0
#pragma once

// place_in_order: every buffer at the lowest offset at which it fits, taken one after the other.
//
//   order a, b, c      a [0, 4)   b [4, 8): it conflicts with a   c [0, 2): below nothing of b's
//
// Gaps between buffers that are there are filled, which USMP's greedy planners do not do: on its
// own case deep_speech that is 514880 bytes against 100352. The first pool of a buffer's order in
// which it fits the limit takes it. Buffers with a fixed offset come first, whatever the order.

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/memory/conflict_lists.h"
#include "core/memory/plan.h"

namespace dovetail {

// `order` has every buffer once. Error: a buffer that fits no pool.
Result<Plan> place_in_order(const PlanningProblem& problem, const ConflictLists& conflicts,
                            std::span<const int> order);

}  // namespace dovetail
