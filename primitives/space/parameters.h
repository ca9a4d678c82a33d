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

// Register tile sizes of one axis alone: multiples of the vector on the vector axis; any 1 … 14
// that wastes at most a quarter elsewhere, because 7 rows fit 56 better than 8; and any where the
// last tile is cut short.
std::vector<int64_t> register_sizes(const Structure& structure, const std::string& axis);

}  // namespace dovetail
