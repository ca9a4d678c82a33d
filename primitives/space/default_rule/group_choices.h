// SPDX-License-Identifier: Apache-2.0
//
// The default point of a product on a device: what its tile (group_tile.h) leaves open.
//
//   c2d:ci=64,co=64,h=56,w=56,k=3,p=1 on an H200
//     tile_choices       register_tile.w 4, cache_tile.w 8, cache_tile.o 4, unroll_part.i 16, …
//     copy_operands      cache_read.X top, row_pad.X 4
//     group_choices      both, channels last, vectors fastest in loops, padding where tiles fill
//
// Why apart from the tile: the formula judges tiles with the first two alone.
#pragma once

#include <string>
#include <vector>

#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/default_rule/group_tile.h"
#include "primitives/space/layouts/placement.h"

namespace dovetail {

inline constexpr int64_t kMostUnrolled = 256;  // vectors of multiply-adds that are written out

Choices tile_choices(const ContractionFacts& facts, const std::vector<std::string>& rows,
                     const GroupTile& tile);

// Work-items share X, in rows of channels that lie in other banks; and W, where no window reads it
// again from the cache.
void copy_operands(const ContractionFacts& facts, const Target& target, const LocalCopies& copies,
                   Choices& choices);

// Taps of the windows that are written out: the innermost one beside unrolled channels.
int64_t unrolled_taps(const ContractionFacts& facts, const GroupTile& tile);

// All choices of the default trace on a device, and its estimate.
DefaultChoices group_choices(const ProductTraits& traits);

}  // namespace dovetail
