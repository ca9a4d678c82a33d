// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/opencl/random_nest.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace dovetail::testing {
namespace {

struct Level {  // one loop of an axis
  std::string name;
  int64_t extent = 1;
  LoopKind kind = LoopKind::serial;
  ThreadAxis thread = ThreadAxis::group_0;
};

class NestDraw {
 public:
  explicit NestDraw(uint64_t seed) : random_(seed) {}

  Program draw() {
    padding_ = below(3);
    extents_ = {{"a", 1 + below(6)},
                {"b", 1 + below(9)},
                {"c", one_of({1, 3, 4, 5, 8, 12, 16})},
                {"k", 1 + below(5)},
                {"r", 1 + below(3)}};
    const int64_t rows = std::max<int64_t>(1, extents_["a"] + extents_["r"] - 1 - 2 * padding_);
    Program program;
    program.buffers = {buffer("X", BufferRole::activation,
                              {{"k", extents_["k"]}, {"h", rows}, {"b", extents_["b"]}}),
                       buffer("W", BufferRole::constant,
                              {{"k", extents_["k"]}, {"r", extents_["r"]}, {"c", extents_["c"]}}),
                       buffer("Y", BufferRole::output,
                              {{"a", extents_["a"]}, {"b", extents_["b"]}, {"c", extents_["c"]}})};
    for (const char* axis : {"a", "b", "c", "k", "r"}) cut(axis);
    program.kernels = {{"nest", kernel_body(program, rows)}};
    return program;
  }

 private:
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound));
  }
  int64_t one_of(std::vector<int64_t> choices) {
    return choices[static_cast<size_t>(below(static_cast<int64_t>(choices.size())))];
  }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random_() % i]);
  }

  // Digits of every dimension in a random order; an image gets a texel innermost.
  Buffer buffer(const std::string& name, BufferRole role, std::vector<LogicalDim> dims) {
    const bool is_image = below(3) == 0;
    const int texel_dim = is_image ? static_cast<int>(below(3)) : -1;
    Layout layout;
    layout.offsets.assign(dims.size(), 0);
    PhysicalAxis texel;
    for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
      const LogicalDim& dim = dims[static_cast<size_t>(d)];
      const int64_t step = d == texel_dim ? 4 : one_of({1, 1, 2, 3, 4, 8});
      layout.axes.push_back({dim.name + ".0", {{d, step, (dim.extent + step - 1) / step}}});
      if (step == 1) continue;
      const PhysicalAxis inner{dim.name + ".1", {{d, 1, step}}};
      if (d == texel_dim) {
        texel = inner;
      } else {
        layout.axes.push_back(inner);
      }
    }
    shuffle(layout.axes);
    if (is_image) {
      layout.axes.push_back(texel);
      layout.scope = static_cast<MemoryScope>(
          1 + below(static_cast<int64_t>(MemoryScope::texture_nhwc_array)));
    }
    layout.logical = std::move(dims);
    const ElementType dtype =
        below(4) == 0 && role != BufferRole::output ? ElementType::f16 : ElementType::f32;
    return {name, name, dtype, role, layout};
  }

  void cut(const std::string& axis) {
    const int64_t extent = extents_[axis];
    std::vector<int64_t> factors;
    for (int64_t f = 1; f <= extent; ++f) {
      if (extent % f == 0) factors.push_back(f);
    }
    const int64_t inner = one_of(factors);
    outer_[axis] = {axis + ".0", extent / inner};
    inner_[axis] = {axis + ".1", inner};
    values_[axis] = IndexExpr::variable(axis + ".0") * inner + IndexExpr::variable(axis + ".1");
    ranges_[axis + ".0"] = {0, extent / inner - 1};
    ranges_[axis + ".1"] = {0, inner - 1};
  }

  std::vector<IndexExpr> physical(const Buffer& buffer, const std::vector<IndexExpr>& logical) {
    std::vector<IndexExpr> indices;
    for (const PhysicalAxis& axis : buffer.layout.axes) {
      const Digit& digit = axis.digits[0];
      const auto dim = static_cast<size_t>(digit.dim);
      const bool is_inner = axis.name.ends_with(".1");
      indices.push_back(is_inner ? floor_mod(logical[dim], digit.extent, ranges_)
                                 : floor_div(logical[dim], digit.step, ranges_));
    }
    return indices;
  }

  // Loops around everything: distributed, serial, or written out.
  std::vector<Level> outer_levels() {
    std::vector<Level> levels = {outer_["a"], outer_["b"], outer_["c"]};
    shuffle(levels);
    const int64_t style = below(4);
    std::vector<ThreadAxis> axes = {ThreadAxis::group_0,  ThreadAxis::group_1,
                                    ThreadAxis::group_2,  ThreadAxis::thread_0,
                                    ThreadAxis::thread_1, ThreadAxis::thread_2};
    shuffle(axes);
    for (size_t i = 0; i < levels.size(); ++i) {
      if (style == 0 && i == 0) levels[i].kind = LoopKind::parallel;
      if (style >= 2 && below(3) > 0) {
        levels[i].kind = LoopKind::bound;
        levels[i].thread = axes[i];
      }
      if (style == 1 && below(2) == 0 && levels[i].extent <= 4) levels[i].kind = LoopKind::unrolled;
    }
    return levels;
  }

  // A nest of the levels around one statement; `may_vectorize` the innermost.
  Block nest(std::vector<Level> levels, Store store) {
    shuffle(levels);
    if (!levels.empty() && below(4) > 0) {
      // Most often the channel: then lanes are contiguous somewhere.
      const auto channel = std::ranges::find(levels, "c.1", &Level::name);
      if (channel != levels.end() && below(3) > 0) std::iter_swap(channel, levels.end() - 1);
      levels.back().kind = LoopKind::vectorized;
    }
    Block block = {{std::move(store)}};
    for (size_t i = levels.size(); i-- > 0;) {
      Level& level = levels[i];
      if (level.kind == LoopKind::serial && below(4) > 0) level.kind = LoopKind::unrolled;
      Block body = std::move(block);
      block = {};
      block.push_back({Loop{level.name, level.extent, level.kind, level.thread, std::move(body)}});
    }
    return block;
  }

  Block kernel_body(const Program& program, int64_t rows) {
    const Buffer& x = program.buffers[0];
    const Buffer& w = program.buffers[1];
    const Buffer& y = program.buffers[2];
    const IndexExpr row = values_["a"] + values_["r"] - IndexExpr(padding_);
    Value input = Load{x.name, physical(x, {values_["k"], row, values_["b"]})};
    const Range range = range_of(row, ranges_);
    if (range.min < 0 || range.max >= rows || below(4) == 0)
      input = select({{row, 0, rows}}, input, 0);
    const Load weight{w.name, physical(w, {values_["k"], values_["r"], values_["c"]})};
    std::vector<std::string> tile_axes = {"a", "b", "c"};
    shuffle(tile_axes);
    ScopedTile tile{"acc", {}, {}};
    std::vector<IndexExpr> at;
    std::vector<Level> tile_levels;
    for (const std::string& axis : tile_axes) {
      tile.extents.push_back(inner_[axis].extent);
      at.push_back(IndexExpr::variable(axis + ".1"));
      tile_levels.push_back(inner_[axis]);
    }
    std::vector<Level> all = tile_levels;
    for (const char* axis : {"k", "r"}) {
      all.push_back(outer_[axis]);
      all.push_back(inner_[axis]);
    }
    Block body = {{tile}};
    const auto append = [&](Block more) { body.insert(body.end(), more.begin(), more.end()); };
    append(nest(tile_levels, {"acc", at, 0.0}));
    append(nest(all, {"acc", at, binary(BinaryOp::mul, input, weight), Reducer::sum}));
    append(nest(tile_levels, {y.name, physical(y, {values_["a"], values_["b"], values_["c"]}),
                              binary(BinaryOp::max, Load{"acc", at}, 0.0)}));
    const std::vector<Level> outer = outer_levels();
    for (size_t i = outer.size(); i-- > 0;) {
      Block inside = std::move(body);
      body = {};
      body.push_back({Loop{outer[i].name, outer[i].extent, outer[i].kind, outer[i].thread,
                           std::move(inside)}});
    }
    return body;
  }

  std::mt19937_64 random_;
  int64_t padding_ = 0;
  std::map<std::string, int64_t> extents_;
  std::map<std::string, Level> outer_, inner_;
  std::map<std::string, IndexExpr> values_;
  Ranges ranges_;
};

}  // namespace

Program random_nest(uint64_t seed) { return NestDraw(seed).draw(); }

}  // namespace dovetail::testing
