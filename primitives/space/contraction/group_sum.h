// SPDX-License-Identifier: Apache-2.0
#pragma once

// Group sums: work-items of a group along the reduction, reduction_items of them. Each sums up a
// part of it for a register tile; the parts meet in local memory, where each work-item adds up its
// share of the tile's elements.
//
//   gmm:m=4,n=64,k=512 by 4 work-items along k, with 4 elements a register tile
//
//     for n.0 in 0..4 bind group.0                          16 columns a group
//       for k.1.0 in 0..4 bind thread.1, n.1 in 0..4 bind thread.0
//         Y.rf[k.1.0, n.1, 0..4] = sum over k.0 and k.1.1
//         barrier
//         Y[n.0, n.1, k.1.0] = sum over the parts p of Y.rf[p, n.1, k.1.0]
//
// The parts alternate in blocks, so that what all of them read in a round is one box, which
// cache_read can copy.
//
// Why beside reduction_parts, whose second kernel adds up parts of any number of groups: that costs
// a launch, 2.4 us on an H200, and the sums' way through memory, where whole operators take 5 us.

#include <cstdint>
#include <memory>
#include <string>

#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

// Work-items of a group, those along the reduction included.
int64_t work_items(const ContractionFacts& facts, const Choices& choices);

// Phases of an axis that a register tile has: all of them, or one.
int64_t phases_in_tile(const ContractionFacts& facts, const Choices& choices,
                       const std::string& axis);

// Elements of the output that a work-item has in registers.
int64_t elements_of_tile(const ContractionFacts& facts, const Choices& choices);

// Local memory for the parts; 0 without.
int64_t bytes_of_group_sum(const ContractionFacts& facts, const Choices& choices);

// A space offers them where outputs are few, and the plan's sums of a kind that parts can hold.
bool may_sum_in_groups(const ContractionPlan& plan, const Target& target);

// Must follow the output's layout, pad_at, inner_part and reduction_parts, and precede copies.
void add_reduction_items(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                         ParameterList& list);

}  // namespace dovetail
