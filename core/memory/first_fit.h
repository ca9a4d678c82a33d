// SPDX-License-Identifier: Apache-2.0
#pragma once

// place_in_order: first fit. Each buffer of an order takes the lowest offset at which it fits.
//
//   order a, b, c      a [0, 4)   b [4, 8): it conflicts with a   c [0, 2): below nothing of b's
//
// Gaps between placed buffers are filled, which USMP's greedy planners do not do: on its own case
// deep_speech, 514880 bytes against 100352. A buffer goes to the first of its pools whose limit it
// fits. Buffers with a fixed offset are placed first, whatever the order.

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/memory/conflict_lists.h"
#include "core/memory/plan.h"

namespace dovetail {

// `order` is a permutation of the buffers. Error: a buffer that fits no pool.
Result<Plan> place_in_order(const PlanningProblem& problem, const ConflictLists& conflicts,
                            std::span<const int> order);

}  // namespace dovetail
