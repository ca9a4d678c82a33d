// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/attached_stages.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/ir/program/walk.h"
#include "primitives/loop/default_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/nest/rounds_in_turn.h"
#include "primitives/lowering/passes/rewrite_block.h"
#include "primitives/lowering/stage_passes.h"

namespace dovetail {
namespace {

using Fills = std::vector<const Fill*>;

const Attachment& attachment_of(const Fill& fill) { return *fill.stage->attachment; }
ElementType type_of(const Fill& fill) {
  return type_in_tile(tensor_named(fill.stage->computation, tile_of(fill)).type,
                      attachment_of(fill).scope);
}
bool is_rolled(const Fill& fill) { return attachment_of(fill).ring.has_value(); }

// Whether code inside the first `position` loops of the reader may run more than once.
bool is_repeated(const Stage& reader, size_t position) {
  if (reader.attachment) return true;
  return std::any_of(reader.loops.begin(), reader.loops.begin() + static_cast<ptrdiff_t>(position),
                     [](const StageLoop& loop) { return loop.kind != LoopKind::bound; });
}

Fills fills_at(const std::vector<Fill>& fills, size_t position, bool in_turn) {
  Fills result;
  for (const Fill& fill : fills)
    if (fill.position == position && (attachment_of(fill).copies > 1) == in_turn)
      result.push_back(&fill);
  return result;
}

const StageLoop& own_rounds(const Fill& fill) { return attachment_of(fill).around.back(); }

// Computes the elements that a ring lacks in the current round.
Block next_part(const Fill& fill) {
  const IndexExpr round = IndexExpr::variable(rolled_loop(*fill.stage).name) +
                          IndexExpr(attachment_of(fill).ring->ahead);
  return with_variable(fill.nest, own_rounds(fill).name, round);
}

// The prologue of a ring, before the loop. A single round is in a loop, too, if it declares tiles,
// whose scope that is.
Block first_part(const Fill& fill) {
  const int64_t ahead = attachment_of(fill).ring->ahead;
  Block result;
  declare_part(fill, result);
  if (ahead == 1 && !declares_tile(fill.nest))
    append(result, with_variable(fill.nest, own_rounds(fill).name, IndexExpr(0)));
  else
    result.push_back({Loop{own_rounds(fill).name, ahead, LoopKind::serial, {}, fill.nest}});
  return result;
}

Block filled(const Fills& fills, bool repeated, Block inner) {
  Block result;
  for (const Fill* fill : fills)
    if (!is_rolled(*fill)) declare_part(*fill, result);
  const bool shared = std::ranges::any_of(fills, is_local);
  if (shared && repeated) result.push_back({Barrier{}});
  std::vector<std::string> unseen;  // local tiles of which a work-item has seen its own share alone
  for (const Fill* fill : fills) {
    const Uses uses = uses_of(fill->nest);
    const auto is_read = [&](const std::string& tile) {
      const auto use = uses.find(tile);
      return use != uses.end() && use->second.read;
    };
    if (std::ranges::any_of(unseen, is_read)) {
      result.push_back({Barrier{}});
      unseen.clear();
    }
    append(result, is_rolled(*fill) ? next_part(*fill) : fill->nest);
    if (is_local(fill)) unseen.push_back(tile_of(*fill));
  }
  if (!unseen.empty()) result.push_back({Barrier{}});
  append(result, std::move(inner));
  return result;
}

// Maps names of loops in the schedule to those in the kernel.
class Naming {
 public:
  Naming(std::string root, std::vector<std::string> attached)
      : root_(std::move(root)), attached_(std::move(attached)) {}

  Stage renamed(const Stage& stage) const {
    IndexValues values;
    Stage result = stage;
    for (StageLoop& loop : result.loops) {
      const std::string name = own(stage, loop.name);
      values.emplace(std::exchange(loop.name, name), IndexExpr::variable(name));
    }
    if (result.cache_write_at && *result.cache_write_at != "root")
      result.cache_write_at = own(stage, *result.cache_write_at);
    for (StagePrefetch& prefetch : result.prefetches) {
      prefetch.loop = own(stage, prefetch.loop);
      if (!prefetch.of.empty()) prefetch.of = own(stage, prefetch.of);
    }
    if (!result.attachment) return with_values(std::move(result), values);
    for (StageLoop& loop : result.attachment->around) {
      values.emplace(loop.name, IndexExpr::variable(of_kernel(loop.name)));
      loop.name = of_kernel(loop.name);
    }
    if (result.attachment->loop != "root")
      result.attachment->loop = of_kernel(result.attachment->stage + "." + result.attachment->loop);
    return with_values(std::move(result), values);
  }

 private:
  std::string own(const Stage& stage, const std::string& loop) const {
    return stage.attachment ? stage.name + "." + loop : loop;
  }
  // The loop C.rf.k is k of stage C.rf where there is one, and not rf.k of the root C.
  std::string of_kernel(const std::string& name) const {
    const bool is_of_attached = std::ranges::any_of(attached_, [&](const std::string& stage) {
      return stage.starts_with(root_ + ".") && name.starts_with(stage + ".");
    });
    const bool is_of_root = name.starts_with(root_ + ".") && !is_of_attached;
    return is_of_root ? name.substr(root_.size() + 1) : name;
  }

  std::string root_;
  std::vector<std::string> attached_;  // stages inside it
};

// Loops of one iteration are dropped; a stage attached to one is attached to the loop around it.
std::string kept_loop(const Stage& reader, const std::string& loop) {
  std::string kept = "root";
  for (const StageLoop& l : reader.loops) {
    if (l.extent > 1) kept = l.name;
    if (l.name == loop) break;
  }
  return kept;
}

// Converts positions in the part of `round` to positions in the tile.
std::vector<IndexExpr> in_tile(std::vector<IndexExpr> inside, const Attachment& a,
                               const IndexExpr& round) {
  if (a.ring) {
    IndexExpr& index = inside[a.ring->axis];
    index = floor_mod(round * a.ring->step + index, a.extents[a.ring->axis], {});
  }
  if (a.scope != TileScope::workspace) return inside;
  std::vector<IndexExpr> result;
  for (const StageLoop& loop : a.around)
    if (is_shared(loop)) result.push_back(IndexExpr::variable(loop.name));
  result.insert(result.end(), inside.begin(), inside.end());
  return result;
}

// The work-items around a tile, numbered so that neighbours differ in thread.0.
class WorkItems {
 public:
  explicit WorkItems(const Stage& stage)
      : attachment_(*stage.attachment), shared_(stage.name + "." + kSharedLoop) {
    for (const StageLoop& loop : attachment_.around) ranges_[loop.name] = {0, loop.extent - 1};
    for (const ThreadAxis axis :
         {ThreadAxis::thread_0, ThreadAxis::thread_1, ThreadAxis::thread_2}) {
      const StageLoop* loop = loop_of(axis);
      if (loop == nullptr) continue;
      number_ = number_ + IndexExpr::variable(loop->name) * count_;
      count_ *= loop->extent;
    }
  }

  Block share(const Block& nest) const {
    Block result;
    for (const Statement& statement : nest)
      if (const auto* loop = std::get_if<Loop>(&statement.node))
        append(result, share(*loop));
      else
        result.push_back(statement);
    return result;
  }

 private:
  Block share(const Loop& loop) const {
    Loop copy = loop;
    copy.body = share(loop.body);
    const StageLoop* item = loop.kind == LoopKind::bound ? loop_of(loop.thread) : nullptr;
    if (item != nullptr) return replaced(copy, IndexExpr::variable(item->name));
    if (loop.variable == shared_) {
      copy.extent = loop.extent / count_;
      if (copy.extent == 1) return replaced(copy, number_);
      copy.body = replaced(copy, IndexExpr::variable(loop.variable) * count_ + number_);
    }
    Block result;
    result.push_back({std::move(copy)});
    return result;
  }

  Block replaced(const Loop& loop, const IndexExpr& value) const {
    Ranges ranges = ranges_;
    ranges[loop.variable] = {0, loop.extent - 1};
    return with_variable(loop.body, loop.variable, value, ranges);
  }

  const StageLoop* loop_of(ThreadAxis axis) const {
    const auto loop = std::ranges::find_if(attachment_.around, [&](const StageLoop& l) {
      return is_over_work_items(l) && l.thread == axis;
    });
    return loop == attachment_.around.end() ? nullptr : &*loop;
  }

  const Attachment& attachment_;
  const std::string shared_;  // this tile's loop; those of tiles inside it are distributed already
  IndexExpr number_;
  int64_t count_ = 1;
  Ranges ranges_;
};

}  // namespace

const std::string& tile_of(const Fill& fill) { return fill.stage->computation.output.tensor; }
bool is_local(const Fill* fill) { return attachment_of(*fill).scope == TileScope::local; }

void declare_part(const Fill& fill, Block& block) {
  const Attachment& a = attachment_of(fill);
  if (a.scope == TileScope::workspace) return;
  std::vector<int64_t> extents = tile_extents(a);
  if (a.copies > 1) extents.insert(extents.begin(), a.copies);
  block.push_back({ScopedTile{tile_of(fill), std::move(extents), a.scope, type_of(fill)}});
}

ElementType type_in_tile(ElementType stored, TileScope scope) {
  const bool is_memory = scope == TileScope::local || scope == TileScope::workspace;
  if (computed_type(stored) != ComputedType::real || (is_memory && is_half(stored))) return stored;
  return ElementType::f32;
}

size_t attached_position(const Stage& attached, const Stage& reader) {
  const std::string& name = attached.attachment->loop;
  size_t position = 0;
  if (name != "root") {
    const auto loop = std::ranges::find(reader.loops, name, &StageLoop::name);
    CHECK(loop != reader.loops.end(), "stage " + reader.name + " has loop " + name);
    position = static_cast<size_t>(loop - reader.loops.begin()) + 1;
  }
  if (attached.attachment->scope != TileScope::local) return position;
  for (size_t l = position; l < reader.loops.size(); ++l)
    if (reader.loops[l].kind == LoopKind::bound) position = l + 1;  // work-items share the tile
  return position;
}

bool is_shared(const StageLoop& loop) {
  return loop.extent > 1 && (loop.kind == LoopKind::parallel || loop.kind == LoopKind::bound);
}

const StageLoop& rolled_loop(const Stage& attached) {
  const std::vector<StageLoop>& around = attached.attachment->around;
  return around[around.size() - 2];
}

std::vector<int64_t> tile_extents(const Attachment& attachment) {
  if (attachment.flat_elements > 0) return {attachment.flat_elements};
  std::vector<int64_t> result;
  if (attachment.scope != TileScope::workspace) {
    result = attachment.extents;
    if (!result.empty()) result.back() += attachment.row_pad;
    return result;
  }
  for (const StageLoop& loop : attachment.around)
    if (is_shared(loop)) result.push_back(loop.extent);
  result.insert(result.end(), attachment.extents.begin(), attachment.extents.end());
  return result;
}

Buffer workspace_buffer(const Stage& maker, const ScheduledTensor& tensor) {
  const Attachment& a = *maker.attachment;
  std::vector<LogicalDim> dims;
  for (const StageLoop& loop : a.around)
    if (is_shared(loop)) dims.push_back({loop.name, loop.extent});
  for (size_t axis = 0; axis < a.extents.size(); ++axis)
    dims.push_back({tensor.layout.axes[axis].name, a.extents[axis]});
  return {tensor.name, tensor.tensor, type_in_tile(tensor.type, TileScope::workspace),
          BufferRole::temporary, identity_layout(std::move(dims))};
}

std::vector<IndexExpr> stored_indices(const Stage& stage) {
  if (!stage.attachment) return stage.output_indices;
  const Attachment& a = *stage.attachment;
  const IndexExpr round =
      a.ring ? IndexExpr::variable(a.around.back().name) - IndexExpr(a.ring->ahead) : IndexExpr(0);
  return in_tile(stage.output_indices, a, round);
}

std::vector<IndexExpr> tile_indices(const std::vector<IndexExpr>& physical, const Stage& maker) {
  const Attachment& a = *maker.attachment;
  std::vector<IndexExpr> inside;
  IndexExpr flat;
  for (size_t axis = 0; axis < physical.size(); ++axis) {
    inside.push_back(physical[axis] - a.starts[axis]);
    const int64_t pad = axis + 1 == physical.size() ? a.row_pad : 0;
    flat = flat * (a.extents[axis] + pad) + inside.back();
  }
  if (a.flat_elements > 0) return {flat};
  return in_tile(std::move(inside), a,
                 a.ring ? IndexExpr::variable(rolled_loop(maker).name) : IndexExpr(0));
}

void drop_implied_bounds(RewrittenAccess& access) {
  std::vector<Bound> kept;
  for (size_t b = 0; b < access.bounds.size(); ++b)
    if (!access.implied[b]) kept.push_back(access.bounds[b]);
  access.bounds = std::move(kept);
  access.implied.assign(access.bounds.size(), false);
}

Block block_of(const StageLoop& loop, Block inner) {
  Loop around{loop.name, loop.extent, loop.kind, loop.thread, std::move(inner)};
  around.at = loop.at;
  around.bounds = loop.bounds;
  around.intrinsic = loop.intrinsic;
  Block result;
  result.push_back({std::move(around)});
  return result;
}

Block with_fills(const std::vector<Fill>& fills, size_t position, const Stage& reader,
                 Block inner) {
  const Fills here = fills_at(fills, position, false);
  return here.empty() ? inner : filled(here, is_repeated(reader, position), std::move(inner));
}

Block loop_with_fills(const StageLoop& loop, const std::vector<Fill>& fills, size_t position,
                      const Stage& reader, Block inner) {
  inner = with_fills(fills, position, reader, std::move(inner));
  Block result;
  for (const Fill* fill : fills_at(fills, position, false))
    if (is_rolled(*fill)) append(result, first_part(*fill));
  const Fills in_turn = fills_at(fills, position, true);
  if (!in_turn.empty()) {
    append(result, rounds_in_turn(loop, in_turn, inner, is_repeated(reader, position - 1)));
    return result;
  }
  append(result, block_of(loop, std::move(inner)));
  return result;
}

Result<std::vector<Stage>> kernel_stages(const Schedule& schedule, const Stage& root,
                                         const Target& target) {
  std::vector<const Stage*> originals = {&root};
  for (size_t i = 0; i < originals.size(); ++i) {
    for (const Stage& stage : schedule.stages)
      if (stage.attachment && stage.attachment->stage == originals[i]->name)
        originals.push_back(&stage);
  }
  std::vector<std::string> attached;
  for (const Stage* stage : originals) attached.push_back(stage->name);
  const Naming naming(root.name, std::move(attached));
  std::vector<Stage> result;
  for (const Stage* original : originals) {
    Stage stage = *original;
    if (stage.attachment) {
      const auto reader = std::ranges::find_if(
          originals, [&](const Stage* other) { return other->name == stage.attachment->stage; });
      stage.attachment->loop = kept_loop(**reader, stage.attachment->loop);
    }
    stage = TRY(check_annotations(TRY(drop_unit_loops(stage)), target));
    result.push_back(naming.renamed(stage));
  }
  return result;
}

Block shared_among_items(const Block& nest, const Stage& stage) {
  return WorkItems(stage).share(nest);
}

}  // namespace dovetail
