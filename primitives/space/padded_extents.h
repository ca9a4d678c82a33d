// SPDX-License-Identifier: Apache-2.0
//
// padded_extents: how far the axes of a computation run once their tiles are chosen: what layouts
// and loops are both cut from.
//
//   register_tile.m=4 unroll_part.k=2 of a product with m=7, k=5      {"m": 8, "k": 6}
#pragma once

#include <map>
#include <string>

#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

// Extent of each tiled axis and of the pure reduction rounded up to its tiles.
std::map<std::string, int64_t> padded_extents(const Structure& structure, const Choices& choices);

}  // namespace dovetail
