// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkGroups: how a kernel spreads over a device, as its nest says it.
//
//   for h in 0..56 bind group.0
//     for w.0 in 0..8 bind thread.0          56 groups of 8 work-items,
//       local X.cache[10, 3, 16]             each with 1,920 bytes of local memory
//
// Without bound loops the groups are the iterations of the outermost parallel loop.

#include <cstdint>

#include "core/ir/program/program.h"

namespace dovetail {

struct WorkGroups {
  int64_t groups = 1;
  int64_t work_items = 1;   // in a group
  int64_t local_bytes = 0;  // in a group
  friend bool operator==(const WorkGroups&, const WorkGroups&) = default;
};
WorkGroups work_groups_of(const Kernel& kernel);

// Local tiles begin at multiples of it, which is enough for any vector type.
inline constexpr int64_t kLocalTileAlignment = 64;
int64_t local_tile_bytes(const ScopedTile& tile);  // 0 where the tile is elsewhere

}  // namespace dovetail
