// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/kernel_writer.h"

#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/operator/operator.h"
#include "core/ir/program/loop_range.h"
#include "core/ir/program/work_groups.h"

namespace dovetail::opencl {
namespace {

// A larger private array crashes some drivers (stack overflow), and never fits registers.
constexpr int64_t kMaxTileElements = 16384;

}  // namespace

KernelWriter::KernelWriter(const Kernel& kernel, const Geometry& geometry,
                           const BufferViews& buffers, Identifiers identifiers, bool wide_indices)
    : kernel_(kernel),
      geometry_(geometry),
      buffers_(buffers),
      identifiers_(std::move(identifiers)),
      index_type_(wide_indices ? "long" : "int"),
      names_(1) {}

Result<std::string> KernelWriter::write() {
  declare_local_tiles(kernel_.body);
  TRY(write_block(kernel_.body));
  return text_;
}

void KernelWriter::line(std::string_view text) {
  text_.append(static_cast<size_t>(2 * depth_), ' ');
  text_ += text;
  text_ += '\n';
}

Unexpected KernelWriter::error(std::string_view what) const {
  return fail("kernel {}: {}", kernel_.name, what);
}

Result<void> KernelWriter::write_block(const Block& block) {
  const size_t tiles_outside = tiles_.size();
  for (const Statement& statement : block)
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      TRY(write_loop(*loop));
    else if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
      TRY(write_tile(*tile, block));
    else if (const auto* store = std::get_if<Store>(&statement.node))
      TRY(write_store(*store, Lanes{}));
    else
      line("barrier(CLK_LOCAL_MEM_FENCE);");
  tiles_.resize(tiles_outside);
  return {};
}

Result<void> KernelWriter::write_loop(const Loop& loop) {
  if (!loop.prefetches.empty())
    return error(fmt::format("loop {} prefetches; OpenCL C has no such hint that devices heed",
                             loop.variable));
  if (loop.at) return write_serial(loop);
  switch (form_of(loop, geometry_)) {
    case LoopForm::constant:
    case LoopForm::unrolled: return write_unrolled(loop);
    case LoopForm::vectorized: return write_vectorized(loop);
    case LoopForm::serial: return write_serial(loop);
    case LoopForm::group: return write_distributed(loop, false);
    case LoopForm::thread: return write_distributed(loop, true);
  }
  return {};
}

Result<void> KernelWriter::write_serial(const Loop& loop) {
  const Identifiers outside = identifiers_;
  const std::string name = identifiers_.unique(loop.variable);
  line(loop.at ? gather_text(loop, name) : counted_text(loop, name));
  const auto extents_outside = std::exchange(scope_.extents, {});
  ++depth_;
  names_.emplace_back();
  const Result<void> written = write_body(loop, name);
  names_.pop_back();
  --depth_;
  line("}");
  scope_.extents = extents_outside;
  identifiers_ = outside;
  return written;
}

Result<void> KernelWriter::write_body(const Loop& loop, const std::string& name) {
  scope_.names[loop.variable] = name;
  scope_.ranges[loop.variable] = {0, loop.extent - 1};
  const Result<void> written = write_block(loop.body);
  scope_.names.erase(loop.variable);
  scope_.ranges.erase(loop.variable);
  return written;
}

// A block that runs once, with an index read from data.
std::string KernelWriter::gather_text(const Loop& loop, const std::string& name) {
  return fmt::format(
      "for ({0} {1} = ({0})clamp((long)({2}), 0L, {3}L), once_{1} = 1; once_{1}; "
      "once_{1} = 0) {{",
      index_type_, name, value_code(*loop.at, {}).text, loop.extent - 1);
}

// The head of a `for` loop.
std::string KernelWriter::counted_text(const Loop& loop, const std::string& name) const {
  std::vector<Bound> bounds = loop.bounds;
  for (Bound& bound : bounds) bound.expr = resolve(bound.expr, scope_);
  const LoopRange range = loop_range(loop.variable, loop.extent, bounds, scope_.ranges);
  const auto limit = [&](int64_t known, const std::vector<IndexExpr>& others, const char* choice) {
    std::string text = std::to_string(known);
    for (const IndexExpr& e : others)
      text = fmt::format("{0}(({1})({2}), ({1})({3}))", choice, index_type_, text, index(e));
    return text;
  };
  return fmt::format("for ({0} {1} = {2}; {1} < {3}; ++{1}) {{", index_type_, name,
                     limit(range.start, range.first, "max"), limit(range.end, range.last, "min"));
}

Result<void> KernelWriter::write_unrolled(const Loop& loop) {
  scope_.extents[loop.variable] = loop.extent;
  for (int64_t i = 0; i < loop.extent; ++i) {
    scope_.values[loop.variable] = IndexExpr(i);
    TRY(write_block(loop.body));
  }
  scope_.values.erase(loop.variable);
  scope_.extents.erase(loop.variable);
  return {};
}

Result<void> KernelWriter::write_vectorized(const Loop& loop) {
  const bool independent = lanes_are_independent(loop);
  const std::vector<Chunk> chunks = independent
                                        ? vector_chunks(loop.extent)
                                        : std::vector<Chunk>(static_cast<size_t>(loop.extent));
  for (size_t i = 0; i < chunks.size(); ++i) {
    const Lanes lanes = independent ? Lanes{loop.variable, chunks[i].first, chunks[i].width}
                                    : Lanes{loop.variable, static_cast<int64_t>(i), 1};
    for (const Statement& statement : loop.body)
      TRY(write_store(std::get<Store>(statement.node), lanes));
  }
  return {};
}

Result<void> KernelWriter::write_distributed(const Loop& loop, bool is_thread) {
  const std::string name = identifiers_.unique(loop.variable);
  line(fmt::format("const {} {} = {}({});  // < {}", index_type_, name,
                   is_thread ? "get_local_id" : "get_group_id", dimension_of(loop), loop.extent));
  return write_body(loop, name);
}

// Local memory is declared at the start of a kernel, the only place where OpenCL C allows it.
void KernelWriter::declare_local_tiles(const Block& block) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) declare_local_tiles(loop->body);
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    if (tile == nullptr || tile->scope != TileScope::local) continue;
    const std::string name = identifiers_.unique(tile->name);
    const int64_t elements = num_elements(tile->extents);
    // OpenCL C declares no half without an extension, but reads it through a pointer.
    const char* const element =
        tile->type == ElementType::f16 ? "ushort" : element_text(tile->type);
    line(fmt::format("__local {} {}[{}] __attribute__((aligned({})));", element, name, elements,
                     kLocalTileAlignment));
    local_tiles_[tile] = name;
    local_bytes_ += local_tile_bytes(*tile);
  }
}

Result<void> KernelWriter::write_tile(const ScopedTile& tile, const Block& block) {
  if (tile.scope == TileScope::local) {
    plans_.push_back({.tile = tile.name,
                      .extents = tile.extents,
                      .type = tile.type,
                      .is_array = true,
                      .is_local = true,
                      .variables = {{local_tiles_.at(&tile), 1}},
                      .elements = {}});
    tiles_.push_back(&plans_.back());
    return {};
  }
  if (num_elements(tile.extents) > kMaxTileElements) {
    return error(fmt::format("tile {} has {} elements, the limit is {}", tile.name,
                             num_elements(tile.extents), kMaxTileElements));
  }
  std::set<std::string> expanded;
  for (const auto& [variable, value] : scope_.values) expanded.insert(variable);
  plans_.push_back(plan_tile(tile, block, geometry_, expanded, identifiers_));
  tiles_.push_back(&plans_.back());
  for (const std::string& text : declarations(plans_.back())) line(text);
  return {};
}

// True when executing statement by statement on all lanes is equivalent to the loop: no two lanes
// store to one place, and a lane reads only its own elements of what the loop stores.
bool KernelWriter::lanes_are_independent(const Loop& loop) {
  const Lanes lanes{loop.variable, 0, static_cast<int>(loop.extent)};
  std::map<std::string, Position> stored;
  for (const Statement& statement : loop.body) {
    const Store& store = std::get<Store>(statement.node);
    Position position = position_of(store.target, store.indices);
    std::vector<LaneValues> values;
    bool distinct = false;
    for (const IndexExpr& part : position) {
      values.push_back(lane_values(part, scope_, lanes));
      distinct = distinct || are_distinct(values.back());
    }
    if (!distinct && position.size() > 1) {  // several texels: compare (x, component)
      LaneValues combined;
      for (size_t lane = 0; lane < values[0].size(); ++lane)
        combined.push_back(values[0][lane] * kTexelComponents + values[3][lane]);
      distinct = are_distinct(combined) && is_uniform(values[1]) && is_uniform(values[2]);
    }
    if (!distinct) return false;
    const auto [found, added] = stored.emplace(store.target, position);
    if (!added && found->second != position) return false;
  }
  const auto disagrees = [&](const Value& node) {
    const auto* load = node.as<Load>();
    const auto found = load == nullptr ? stored.end() : stored.find(load->buffer);
    return found != stored.end() && position_of(load->buffer, load->indices) != found->second;
  };
  return std::ranges::none_of(loop.body, [&](const Statement& statement) {
    return any_node(std::get<Store>(statement.node).value, disagrees);
  });
}

const TilePlan* KernelWriter::find_tile(std::string_view name) const {
  const auto found = std::find_if(tiles_.rbegin(), tiles_.rend(),
                                  [&](const TilePlan* plan) { return plan->tile == name; });
  return found == tiles_.rend() ? nullptr : *found;
}

const BufferView& KernelWriter::view_of(std::string_view name) const {
  const auto found = buffers_.find(name);
  CHECK(found != buffers_.end(), "kernel " + kernel_.name + " has no buffer " + std::string(name));
  return found->second;
}

const KernelWriter::Position& KernelWriter::position_of(std::string_view target,
                                                        const std::vector<IndexExpr>& indices) {
  const TilePlan* plan = find_tile(target);
  const BufferView* view = plan == nullptr ? &view_of(target) : nullptr;
  const void* place = plan == nullptr ? static_cast<const void*>(view) : plan;
  const auto [found, added] = positions_.try_emplace({&indices, place});
  if (!added) return found->second;
  if (plan != nullptr)
    found->second = {flattened(indices, plan->extents)};
  else if (view->is_image)
    found->second = image_position(*view, indices);
  else
    found->second = {flattened(indices, view->extents)};
  return found->second;
}

KernelWriter::Position KernelWriter::image_position(const BufferView& view,
                                                    const std::vector<IndexExpr>& indices) const {
  const auto part = [&](int first, int last) {
    return flattened({indices.begin() + first, indices.begin() + last},
                     {view.extents.begin() + first, view.extents.begin() + last});
  };
  const int rank = static_cast<int>(view.extents.size());
  CHECK(static_cast<int>(indices.size()) == rank, "as many indices as axes");
  return {part(view.image.x_begin, rank - 1), part(view.image.y_begin, view.image.x_begin),
          part(0, view.image.y_begin), indices.back()};
}

}  // namespace dovetail::opencl
