// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/transpose_tile_lanes.h"

#include <optional>

#include "core/ir/index/element_stride.h"
#include "core/ir/layout/layout.h"
#include "core/ir/program/walk.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

class TransposeTileLanes {
 public:
  explicit TransposeTileLanes(const Program& program) : program_(program) {}

  Result<Block> turned(Block block) const {
    for (Statement& statement : block) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr || !loop->intrinsic.empty()) continue;
      if (is_turned_around(*loop)) {
        Loop& lanes = std::get<Loop>(loop->body[0].node);
        std::swap(lanes.variable, loop->variable);
        std::swap(lanes.extent, loop->extent);
      } else if (loop->kind == LoopKind::vectorized) {
        TRY(check_reads(*loop));
      } else {
        loop->body = TRY(turned(std::move(loop->body)));
      }
    }
    return block;
  }

 private:
  bool is_turned_around(const Loop& rows) const {
    const Store* store = tile_store(rows);
    const Load* load = store == nullptr ? nullptr : store->value.as<Load>();
    if (load == nullptr) return false;
    const Loop& lanes = std::get<Loop>(rows.body[0].node);
    return is_by_rows(store->target, store->indices, rows, lanes) &&
           is_by_rows(load->buffer, load->indices, rows, lanes);
  }

  bool is_by_rows(const std::string& buffer, const std::vector<IndexExpr>& indices,
                  const Loop& rows, const Loop& lanes) const {
    const std::optional<int64_t> along = stride(buffer, indices, rows.variable);
    const std::optional<int64_t> across = stride(buffer, indices, lanes.variable);
    return along == 1 && across && is_far(*across);
  }

  // Tiles inside a kernel are no buffers, and are not turned.
  std::optional<int64_t> stride(const std::string& buffer, const std::vector<IndexExpr>& indices,
                                const std::string& loop) const {
    const Buffer* found = find_buffer(program_, buffer);
    if (found == nullptr) return std::nullopt;
    const Result<int64_t> stride = element_stride(indices, physical_extents(found->layout), loop);
    return stride ? std::optional(*stride) : std::nullopt;
  }

  static bool is_far(int64_t stride) { return stride < 0 || stride > 2; }

  Result<void> check_reads(const Loop& lanes) const {
    std::optional<Error> far;
    for_each_store(lanes.body, [&](const Store& store) {
      // A texel may be gathered from elements that are far apart.
      const Buffer* target = find_buffer(program_, store.target);
      if (target != nullptr && is_texture(target->layout.scope)) return;
      for_each_load(store.value, [&](const Load& load) {
        const auto apart = stride(load.buffer, load.indices, lanes.variable);
        if (far || !apart || !is_far(*apart)) return;
        far = refuse("vectorized loop " + lanes.variable,
                     "lanes of {} are {} elements apart, expected 0, 1 or 2, or a tile that no "
                     "bound parts, unrolled along the axis that is innermost in its layout",
                     load.buffer, *apart)
                  .error();
      });
    });
    if (far) return Unexpected(*far);
    return {};
  }

  const Program& program_;
};

}  // namespace

Result<Program> transpose_tile_lanes(Program program) {
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    Block body = std::move(program.kernels[k].body);
    program.kernels[k].body = TRY(TransposeTileLanes(program).turned(std::move(body)));
  }
  return program;
}

}  // namespace dovetail
