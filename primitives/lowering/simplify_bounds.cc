// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/simplify_bounds.h"

#include <optional>

#include "core/ir/index/bounded_range.h"
#include "primitives/lowering/rewrite_block.h"

namespace dovetail {
namespace {

// What is known at a place of the nest.
struct Known {
  Ranges ranges;
  std::vector<Bound> bounds;  // of clipped loops
};

// The bounds that do not always hold; nothing when one never does.
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

// Whether an iteration is left.
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

// Joined with what leaves everything as it is.
bool changes_nothing(const Store& store) {
  if (store.reducer == Reducer::sum) return is_zero(store.value);
  const auto* constant = store.value.as<Constant>();
  return accumulates(store) && constant != nullptr && constant->value == neutral(store.reducer);
}

// Whether the statement does anything.
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
  for (Statement& statement : block) {
    if (simplify(statement, known)) result.push_back(std::move(statement));
  }
  return result;
}

}  // namespace

Block simplify_bounds(Block body) {
  Known known;
  return simplified(std::move(body), known);
}

Program simplify_bounds(Program program) {
  for (Kernel& kernel : program.kernels) kernel.body = simplify_bounds(std::move(kernel.body));
  return program;
}

}  // namespace dovetail
