// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a derived space, with their domains (the table is in choices.h; sizes and
// reasons in the comments of parameters.cc).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/space.h"

namespace dovetail {

// Parameters that a generator puts among those of the common rule, where they see what they read.
struct OwnParameters {
  std::function<void(ParameterList&)> after_cache_tiles = {}, after_inner_part = {};
};

std::vector<Parameter> derive_parameters(const std::shared_ptr<const ContractionPlan>& plan,
                                         const Target& target, const OwnParameters& own = {});

// Candidate register tile sizes of one axis, regardless of the others: multiples of the vector on
// the vector axis, 1 … 14 elsewhere, because 7 rows fit 56 better than 8. Sizes that pad the axis
// by more than a quarter are left out, unless it merges dims.
std::vector<int64_t> register_sizes(const ContractionPlan& plan, const std::string& axis);

}  // namespace dovetail
