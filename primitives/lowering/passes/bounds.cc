// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/bounds.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/ir/index/bounded_range.h"
#include "core/ir/layout/layout.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

// Facts that hold at a place of the nest.
struct Known {
  Ranges ranges;
  std::vector<Bound> bounds;  // bounds of clipped loops
};

// The bounds that do not always hold; nullopt when one never does.
std::optional<std::vector<Bound>> needed(const std::vector<Bound>& bounds, const Known& known) {
  std::vector<Bound> result;
  for (const Bound& bound : bounds) {
    const Range range = bounded_range(bound.expr, known.ranges, known.bounds)
                            .value_or(range_of(bound.expr, known.ranges));
    if (range.min > range.max) return std::nullopt;
    if (range.max < bound.lower || range.min >= bound.upper) return std::nullopt;
    if (range.min < bound.lower || range.max >= bound.upper) result.push_back(bound);
  }
  return result;
}

Value simplified(const Value& value, const Known& known) {
  return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
    const auto* s = node.as<Select>();
    if (s == nullptr) return std::nullopt;
    std::optional<std::vector<Bound>> bounds = needed(s->bounds, known);
    return bounds ? select(std::move(*bounds), s->then, s->otherwise) : s->otherwise;
  });
}

Block simplified(Block block, Known& known);

// Returns whether an iteration is left.
bool simplify(Loop& loop, Known& known) {
  known.ranges[loop.variable] = {0, loop.extent - 1};
  std::optional<std::vector<Bound>> bounds = needed(loop.bounds, known);
  if (bounds) {
    loop.bounds = std::move(*bounds);
    const size_t outside = known.bounds.size();
    known.bounds.insert(known.bounds.end(), loop.bounds.begin(), loop.bounds.end());
    if (loop.at) loop.at = simplified(*loop.at, known);
    loop.body = simplified(std::move(loop.body), known);
    known.bounds.resize(outside);
  }
  known.ranges.erase(loop.variable);
  return bounds.has_value();
}

// Whether the store combines its target with the neutral element.
bool changes_nothing(const Store& store) {
  if (store.reducer == Reducer::sum) return is_zero(store.value);
  const auto* constant = store.value.as<Constant>();
  return accumulates(store) && constant != nullptr && constant->value == neutral(store.reducer);
}

// Returns whether the statement still has an effect.
bool simplify(Statement& statement, Known& known) {
  if (auto* loop = std::get_if<Loop>(&statement.node)) {
    const bool was_empty = loop->body.empty();
    return simplify(*loop, known) && (was_empty || !loop->body.empty());
  }
  auto* store = std::get_if<Store>(&statement.node);
  if (store == nullptr) return true;
  store->value = simplified(store->value, known);
  return !changes_nothing(*store);
}

Block simplified(Block block, Known& known) {
  Block result;
  for (Statement& statement : block)
    if (simplify(statement, known)) result.push_back(std::move(statement));
  return result;
}

bool contains(const std::vector<Bound>& bounds, const Bound& bound) {
  return std::ranges::find(bounds, bound) != bounds.end();
}

bool reads_image(const Value& value, const Program& program) {
  const auto* load = value.as<Load>();
  const Buffer* buffer = load != nullptr ? find_buffer(program, load->buffer) : nullptr;
  return buffer != nullptr && is_texture(buffer->layout.scope);
}

void add_factor(const Value& value, const Program& program, std::vector<Bound>& bounds) {
  if (const auto* b = value.as<Binary>()) {
    if (b->op != BinaryOp::mul) return;
    add_factor(b->left, program, bounds);
    add_factor(b->right, program, bounds);
  } else if (const auto* s = value.as<Select>()) {
    if (!is_zero(s->otherwise) || reads_image(s->then, program)) return;
    for (const Bound& bound : s->bounds)
      if (!contains(bounds, bound)) bounds.push_back(bound);
    add_factor(s->then, program, bounds);
  }
}

// Bounds whose failure makes the store change nothing; empty when it does not accumulate.
std::vector<Bound> zero_bounds(const Store& store, const Program& program) {
  std::vector<Bound> bounds;
  if (store.reducer == Reducer::sum) add_factor(store.value, program, bounds);
  // Where the bounds of a maximum fail, its operand is the neutral element.
  const auto* s = store.value.as<Select>();
  if (s == nullptr || store.reducer == Reducer::sum || !accumulates(store)) return bounds;
  const auto* otherwise = s->otherwise.as<Constant>();
  const bool neutral_there = otherwise != nullptr && otherwise->value == neutral(store.reducer);
  return neutral_there && !reads_image(s->then, program) ? s->bounds : bounds;
}

}  // namespace

Block simplify_bounds(Block body, const Ranges& around) {
  Known known{.ranges = around, .bounds = {}};
  return simplified(std::move(body), known);
}

Program simplify_bounds(Program program) {
  for (Kernel& kernel : program.kernels) kernel.body = simplify_bounds(std::move(kernel.body));
  return program;
}

std::vector<Bound> all_zero_bounds(const Block& block, const Program& program) {
  std::vector<Bound> all;
  for_each_store(block, [&](const Store& store) {
    for (Bound& bound : zero_bounds(store, program))
      if (!contains(all, bound)) all.push_back(std::move(bound));
  });
  return all;
}

namespace {

using Names = std::set<std::string, std::less<>>;

// The zero bounds that all stores of the block share; empty when the block declares registers.
std::vector<Bound> common_zero_bounds(const Block& block, const Program& program) {
  std::vector<Bound> common;
  for (size_t k = 0; k < block.size(); ++k) {
    std::vector<Bound> own;
    if (const auto* loop = std::get_if<Loop>(&block[k].node))
      own = common_zero_bounds(loop->body, program);
    if (const auto* store = std::get_if<Store>(&block[k].node)) own = zero_bounds(*store, program);
    if (k == 0)
      common = std::move(own);
    else
      std::erase_if(common, [&](const Bound& bound) { return !contains(own, bound); });
  }
  return common;
}

// Removes a bound that is known to hold in this block.
Block without_bound(Block block, const Bound& bound) {
  return with_stored_values(std::move(block), [&](const Value& node) -> std::optional<Value> {
    const auto* s = node.as<Select>();
    if (s == nullptr || !contains(s->bounds, bound)) return std::nullopt;
    std::vector<Bound> others = s->bounds;
    std::erase(others, bound);
    return select(std::move(others), s->then, s->otherwise);
  });
}

// Whether a bound can clip the loop: it depends on the variable with a constant step, and otherwise
// only on loops around it.
bool clips(const Bound& bound, const std::string& variable, const Names& outer) {
  if (bound.expr.coefficient(variable) == 0) return false;
  const bool hidden = std::ranges::any_of(bound.expr.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(variable);
  });
  return !hidden && std::ranges::all_of(bound.expr.variables(), [&](const std::string& name) {
    return name == variable || outer.contains(name);
  });
}

Block clipped(Block block, Names& outer, const Program& program) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->kind == LoopKind::serial && !loop->at) {
      for (const Bound& bound : common_zero_bounds(loop->body, program)) {
        if (!clips(bound, loop->variable, outer)) continue;
        loop->body = without_bound(std::move(loop->body), bound);
        loop->bounds.push_back(bound);
      }
    }
    outer.insert(loop->variable);
    loop->body = clipped(std::move(loop->body), outer, program);
    outer.erase(loop->variable);
  }
  return block;
}

}  // namespace

Program clip_loops(Program program) {
  for (Kernel& kernel : program.kernels) {
    Names outer;
    Block body = std::move(kernel.body);  // clipped() reads only the buffers of program
    kernel.body = clipped(std::move(body), outer, program);
  }
  return program;
}

}  // namespace dovetail
