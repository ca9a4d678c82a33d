// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/register_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ir/operator/operator.h"
#include "core/ir/value/walk.h"

namespace dovetail::opencl {
namespace {

// Summary of the accesses to one tile.
struct TileUse {
  bool is_constant = true;  // every index is constant after unrolling
  int vector_axis = -1;     // the axis that vectorized loops run along
  int64_t vector_extent = 1;
};

class UseScan {
 public:
  UseScan(const ScopedTile& tile, const Geometry& geometry, std::set<std::string> expanded)
      : tile_(tile), geometry_(geometry), expanded_(std::move(expanded)) {}

  TileUse scan(const Block& block) {
    scan_block(block);
    return use_;
  }

 private:
  void scan_block(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        scan_loop(*loop);
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        if (store->target == tile_.name) scan_indices(store->indices);
        scan_value(store->value);
      }
    }
  }

  void scan_loop(const Loop& loop) {
    if (loop.at) scan_value(*loop.at);
    const LoopForm form = form_of(loop, geometry_);
    const bool is_expanded =
        form == LoopForm::constant || form == LoopForm::unrolled || form == LoopForm::vectorized;
    const bool added = is_expanded && expanded_.insert(loop.variable).second;
    const Loop* outer = vectorized_;
    if (form == LoopForm::vectorized) vectorized_ = &loop;
    scan_block(loop.body);
    vectorized_ = outer;
    if (added) expanded_.erase(loop.variable);
  }

  void scan_value(const Value& value) {
    for_each_load(value, [&](const Load& load) {
      if (load.buffer == tile_.name) scan_indices(load.indices);
    });
  }

  void scan_indices(const std::vector<IndexExpr>& indices) {
    int vector_axis = -1;
    int axes_with_lanes = 0;
    for (size_t axis = 0; axis < indices.size(); ++axis) {
      for (const std::string& variable : indices[axis].variables())
        if (!expanded_.contains(variable)) use_.is_constant = false;
      if (vectorized_ == nullptr || !indices[axis].mentions(vectorized_->variable)) continue;
      ++axes_with_lanes;
      if (indices[axis].is_affine() && indices[axis].coefficient(vectorized_->variable) == 1)
        vector_axis = static_cast<int>(axis);
    }
    if (axes_with_lanes != 1 || vector_axis < 0) return;
    if (vectorized_->extent <= use_.vector_extent) return;
    use_.vector_axis = vector_axis;
    use_.vector_extent = vectorized_->extent;
  }

  const ScopedTile& tile_;
  const Geometry& geometry_;
  std::set<std::string> expanded_;
  const Loop* vectorized_ = nullptr;
  TileUse use_;
};

// The vector chunks of an axis along which vectorized loops have `block` iterations.
std::vector<Chunk> axis_chunks(int64_t extent, int64_t block) {
  std::vector<Chunk> chunks;
  for (int64_t first = 0; first < extent; first += block)
    for (const Chunk& chunk : vector_chunks(std::min(block, extent - first)))
      chunks.push_back({first + chunk.first, chunk.width});
  return chunks;
}

std::string variable_name(const TilePlan& plan, const std::vector<int64_t>& index, int vector_axis,
                          bool many_chunks) {
  std::string name = plan.tile;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    if (plan.extents[axis] == 1) continue;
    if (static_cast<int>(axis) == vector_axis && !many_chunks) continue;
    name += fmt::format("_{}", index[axis]);
  }
  return name;
}

bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& extents) {
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (++index[axis] < extents[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

void plan_variables(TilePlan& plan, const TileUse& use, Identifiers& identifiers) {
  const int axis = use.vector_axis;
  std::vector<Chunk> chunk_at;  // by index along the vector axis
  std::vector<Chunk> chunks;
  if (axis >= 0) {
    chunks = axis_chunks(plan.extents[static_cast<size_t>(axis)], use.vector_extent);
    for (const Chunk& chunk : chunks)
      chunk_at.insert(chunk_at.end(), static_cast<size_t>(chunk.width), chunk);
  }
  std::map<std::vector<int64_t>, int> variable_at;  // by the index of its first element
  std::vector<int64_t> index(plan.extents.size(), 0);
  do {
    Chunk chunk;
    std::vector<int64_t> first = index;
    int component = 0;
    if (axis >= 0) {
      const auto along = static_cast<size_t>(axis);
      chunk = chunk_at[static_cast<size_t>(index[along])];
      component = static_cast<int>(index[along] - chunk.first);
      first[along] = chunk.first;
    }
    const auto [place, added] = variable_at.emplace(first, static_cast<int>(plan.variables.size()));
    if (added) {
      const std::string name = variable_name(plan, first, axis, chunks.size() > 1);
      plan.variables.push_back({identifiers.unique(name), chunk.width});
    }
    plan.elements.push_back({place->second, component});
  } while (advance(index, plan.extents));
}

}  // namespace

std::vector<Chunk> vector_chunks(int64_t extent) {
  std::vector<Chunk> chunks;
  int64_t first = 0;
  for (const int width : {16, 8, 4, 2, 1})
    for (; extent - first >= width; first += width) chunks.push_back({first, width});
  return chunks;
}

TilePlan plan_tile(const ScopedTile& tile, const Block& block, const Geometry& geometry,
                   const std::set<std::string>& expanded, Identifiers& identifiers) {
  TilePlan plan;
  plan.tile = tile.name;
  plan.extents = tile.extents;
  plan.type = tile.type;
  const TileUse use = UseScan(tile, geometry, expanded).scan(block);
  if (use.is_constant && tile.type == ElementType::f32) {
    plan_variables(plan, use, identifiers);
  } else {
    plan.is_array = true;
    plan.variables.push_back({identifiers.unique(tile.name), 1});
  }
  return plan;
}

std::vector<std::string> declarations(const TilePlan& plan) {
  if (plan.is_array)
    return {fmt::format("{} {}[{}];", element_text(plan.type), plan.variables[0].name,
                        num_elements(plan.extents))};
  constexpr size_t kLineLimit = 90;
  std::vector<std::string> lines;
  for (const int width : {16, 8, 4, 2, 1}) {
    std::string line;
    for (const TileVariable& variable : plan.variables) {
      if (variable.width != width) continue;
      if (line.size() + variable.name.size() > kLineLimit) {
        lines.push_back(line + ";");
        line.clear();
      }
      line += (line.empty() ? float_type(width) + " " : std::string(", ")) + variable.name;
    }
    if (!line.empty()) lines.push_back(line + ";");
  }
  return lines;
}

}  // namespace dovetail::opencl
