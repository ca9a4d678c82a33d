// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/work_groups.h"

#include "core/base/round_up.h"
#include "core/ir/program/walk.h"

namespace dovetail {

int64_t local_tile_bytes(const ScopedTile& tile) {
  if (tile.scope != TileScope::local) return 0;
  return round_up(num_elements(tile.extents) * bytes_of(tile.type), kLocalTileAlignment);
}

WorkGroups work_groups_of(const Kernel& kernel) {
  WorkGroups found;
  bool is_bound = false;
  for_each_statement(kernel.body, [&](const Statement& statement) {
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
      found.local_bytes += local_tile_bytes(*tile);
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || loop->kind != LoopKind::bound) return;
    is_bound = true;
    (is_over_work_items(*loop) ? found.work_items : found.groups) *= loop->extent;
  });
  if (!is_bound) found.groups = parallel_extent(kernel);
  return found;
}

}  // namespace dovetail
