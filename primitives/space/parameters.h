// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a derived space, with their domains (the table is in choices.h; sizes and
// reasons in the comments of parameters.cc).
#pragma once

#include <memory>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/space.h"
#include "primitives/space/structure.h"

namespace dovetail {

std::vector<Parameter> derive_parameters(std::shared_ptr<const Structure> structure,
                                         const Target& target);

// Candidate register tile sizes of one axis, regardless of the others: multiples of the vector on
// the vector axis, 1 … 14 elsewhere, because 7 rows fit 56 better than 8. Sizes that pad the axis
// by more than a quarter are left out, unless it merges dims.
std::vector<int64_t> register_sizes(const Structure& structure, const std::string& axis);

}  // namespace dovetail
