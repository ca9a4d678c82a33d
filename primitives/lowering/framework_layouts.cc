// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/framework_layouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "primitives/layout/layout_indices.h"
#include "primitives/lowering/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int64_t kMostUnrolled = 64;
constexpr int64_t kMostVectorized = 64;
constexpr int64_t kVectorMultiple = 4;

bool is_framework_layout(const Layout& layout) {
  const Layout identity = identity_layout(layout.logical);
  return layout.offsets == identity.offsets &&
         std::ranges::equal(layout.axes, identity.axes,
                            [](const auto& a, const auto& b) { return a.digits == b.digits; });
}

// Whether a store and its load both move by one element along a variable.
bool moves_in_step(const Store& store, const std::string& variable) {
  const auto moves = [&](const std::vector<IndexExpr>& indices) {
    for (size_t i = 0; i + 1 < indices.size(); ++i) {
      if (indices[i].mentions(variable)) return false;
    }
    return indices.back().is_affine() && indices.back().coefficient(variable) == 1;
  };
  return moves(store.indices) && moves(std::get<Load>(store.value.node()).indices);
}

using NamedExtent = std::pair<std::string, int64_t>;

Block loop_around(const NamedExtent& loop, LoopKind kind, Block body) {
  return {Statement{
      Loop{.variable = loop.first, .extent = loop.second, .kind = kind, .body = std::move(body)}}};
}

// A vector where both sides are contiguous; else one element at a time, some written out.
Block innermost_loop(const NamedExtent& loop, Store store) {
  const auto& [variable, extent] = loop;
  const bool is_vector =
      extent <= kMostVectorized && extent % kVectorMultiple == 0 && moves_in_step(store, variable);
  const Block body = {Statement{std::move(store)}};
  if (is_vector) return loop_around(loop, LoopKind::vectorized, body);
  for (const int64_t part : {8, 7, 6, 5, 4}) {
    if (extent <= part || extent % part != 0) continue;
    const std::string outer = variable + ".0", inner = variable + ".1";
    const IndexExpr value = IndexExpr::variable(outer) * part + IndexExpr::variable(inner);
    return loop_around(
        {outer, extent / part}, LoopKind::serial,
        loop_around({inner, part}, LoopKind::unrolled, with_variable(body, variable, value)));
  }
  return loop_around(loop, LoopKind::serial, body);
}

// One loop a variable of more than one iteration, the first of several in parallel.
Block nest(const std::vector<NamedExtent>& loops, Store store) {
  if (loops.empty()) return {Statement{std::move(store)}};
  Block block = innermost_loop(loops.back(), std::move(store));
  for (size_t i = loops.size() - 1; i-- > 0;) {
    block = loop_around(loops[i], i == 0 ? LoopKind::parallel : LoopKind::serial, std::move(block));
  }
  return block;
}

struct CopyLoops {
  std::vector<NamedExtent> loops;  // outermost first, none of one iteration
  std::vector<IndexExpr> at;       // an index for each axis
  Ranges ranges;
};

CopyLoops loops_over(const std::vector<NamedExtent>& axes) {
  CopyLoops result;
  for (const auto& [name, extent] : axes) {
    result.at.push_back(extent > 1 ? IndexExpr::variable(name) : IndexExpr(0));
    if (extent > 1) result.loops.emplace_back(name, extent);
    result.ranges[name] = {0, extent - 1};
  }
  return result;
}

// Over the storage of `layout`, but with the framework's innermost dim innermost: that side is then
// contiguous, and the other one stays within a few lines.
CopyLoops loops_over_storage(const Layout& layout) {
  std::vector<NamedExtent> axes;
  for (const PhysicalAxis& axis : layout.axes) axes.emplace_back(axis.name, axis.extent());
  CopyLoops result = loops_over(axes);
  const auto last = static_cast<int>(layout.logical.size()) - 1;
  const auto is_innermost = [&](const NamedExtent& loop) {
    const Digit& digit =
        layout.axes[static_cast<size_t>(find_axis(layout, loop.first))].digits.back();
    return digit.dim == last && digit.step == 1;
  };
  std::ranges::stable_partition(result.loops,
                                [&](const auto& loop) { return !is_innermost(loop); });
  return result;
}

CopyLoops loops_over_logical(const Layout& layout) {
  std::vector<NamedExtent> axes;
  for (const LogicalDim& dim : layout.logical) axes.emplace_back(dim.name, dim.extent);
  return loops_over(axes);
}

Kernel packing(const Buffer& buffer, const Buffer& plain) {
  const CopyLoops copy = loops_over_storage(buffer.layout);
  const Value value = Load{plain.name, logical_indices(buffer.layout, copy.at, copy.ranges)};
  return {"pack_" + buffer.name, nest(copy.loops, {buffer.name, copy.at, value})};
}

// A padded output has storage that is no element of it: its elements are then visited one by one.
Kernel unpacking(const Buffer& buffer, const Buffer& plain) {
  const bool exact = is_one_to_one(buffer.layout);
  const CopyLoops copy =
      exact ? loops_over_storage(buffer.layout) : loops_over_logical(buffer.layout);
  const std::vector<IndexExpr> element =
      exact ? logical_indices(buffer.layout, copy.at, copy.ranges) : copy.at;
  const std::vector<IndexExpr> stored =
      exact ? copy.at : physical_indices(buffer.layout, copy.at, copy.ranges);
  return {"unpack_" + buffer.name,
          nest(copy.loops, {plain.name, element, Value(Load{buffer.name, stored})})};
}

bool loads(const Value& value, const std::string& buffer) {
  bool found = false;
  for_each_load(value, [&](const Load& load) { found = found || load.buffer == buffer; });
  return found;
}

// Whether a block only moves elements: it stores constants, loads, or one of them by bounds.
bool only_copies(const Block& block) {
  return std::ranges::all_of(block, [](const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) return only_copies(loop->body);
    const auto* store = std::get_if<Store>(&statement.node);
    if (store == nullptr || accumulates(*store)) return false;
    bool copies = true;
    for_each_node(store->value, [&](const Value& node) {
      copies = copies && (node.as<Constant>() != nullptr || node.as<Load>() != nullptr ||
                          node.as<Select>() != nullptr);
    });
    return copies;
  });
}

bool loads(const Block& block, const std::string& buffer) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) return loads(loop->body, buffer);
    const auto* store = std::get_if<Store>(&statement.node);
    return store != nullptr && loads(store->value, buffer);
  });
}

// Loads of `buffer` become loads of `plain`. Its elements are no longer neighbours along a vector,
// so vectors become unrolled loops.
Block reading_plain(Block block, const Buffer& buffer, const Buffer& plain, Ranges ranges) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      ranges[loop->variable] = {0, loop->extent - 1};
      if (loop->kind == LoopKind::vectorized && loads(loop->body, buffer.name)) {
        loop->kind = loop->extent <= kMostUnrolled ? LoopKind::unrolled : LoopKind::serial;
      }
      loop->body = reading_plain(std::move(loop->body), buffer, plain, ranges);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      store->value = rebuilt(store->value, [&](const Value& node) -> std::optional<Value> {
        const auto* load = node.as<Load>();
        if (load == nullptr || load->buffer != buffer.name) return std::nullopt;
        return Load{plain.name, logical_indices(buffer.layout, load->indices, ranges)};
      });
    }
  }
  return block;
}

// The kernels that read an activation only to copy it read the framework's instead; true when no
// other kernel reads it.
bool read_plain_in_copies(Program& program, const Buffer& buffer, const Buffer& plain) {
  bool all = true;
  for (Kernel& kernel : program.kernels) {
    if (!loads(kernel.body, buffer.name)) continue;
    if (only_copies(kernel.body)) {
      kernel.body = reading_plain(std::move(kernel.body), buffer, plain, {});
    } else {
      all = false;
    }
  }
  return all;
}

Buffer plain_buffer(const Buffer& buffer) {
  Buffer plain = buffer;
  plain.name = buffer.name + ".plain";
  plain.layout = identity_layout(buffer.layout.logical);
  return plain;
}

void convert_activation(size_t index, Program& program) {
  const Buffer buffer = program.buffers[index];
  const Buffer plain = plain_buffer(buffer);
  if (read_plain_in_copies(program, buffer, plain)) {
    program.buffers[index] = plain;
    return;
  }
  // Kernels of build time stay in front.
  program.kernels.insert(program.kernels.begin() + kernels_once(program), packing(buffer, plain));
  program.buffers[index].role = BufferRole::temporary;
  program.buffers.push_back(plain);
}

void convert_output(size_t index, Program& program) {
  const Buffer buffer = program.buffers[index];
  const Buffer plain = plain_buffer(buffer);
  program.kernels.push_back(unpacking(buffer, plain));
  program.buffers[index].role = BufferRole::temporary;
  program.buffers.push_back(plain);
}

}  // namespace

Result<Program> in_framework_layouts(const Program& program) {
  Program result = program;
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    const bool is_output = buffer.role == BufferRole::output;
    if (!is_output && buffer.role != BufferRole::activation) continue;
    if (is_texture(buffer.layout.scope)) {
      return fail(fmt::format("buffer {} is in {}: it has no framework layout", buffer.name,
                              print(buffer.layout.scope)));
    }
    if (is_framework_layout(buffer.layout)) continue;
    is_output ? convert_output(b, result) : convert_activation(b, result);
  }
  return result;
}

}  // namespace dovetail
