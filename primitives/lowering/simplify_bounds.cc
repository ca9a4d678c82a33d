// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/simplify_bounds.h"

#include <optional>

#include "primitives/lowering/rewrite_block.h"

namespace dovetail {
namespace {

// The bounds that do not always hold; nothing when one never does.
std::optional<std::vector<Bound>> needed(const std::vector<Bound>& bounds, const Ranges& ranges) {
  std::vector<Bound> result;
  for (const Bound& bound : bounds) {
    const Range range = range_of(bound.expr, ranges);
    if (range.max < bound.lower || range.min >= bound.upper) return std::nullopt;
    if (range.min < bound.lower || range.max >= bound.upper) result.push_back(bound);
  }
  return result;
}

Value simplified(const Value& value, const Ranges& ranges) {
  return rebuilt(value, [&](const Value& node) -> Value {
    const auto* s = std::get_if<std::shared_ptr<const Select>>(&node.node());
    if (s == nullptr) return node;
    std::optional<std::vector<Bound>> bounds = needed((*s)->bounds, ranges);
    return bounds ? select(std::move(*bounds), (*s)->then, (*s)->otherwise) : (*s)->otherwise;
  });
}

Block simplified(const Block& block, Ranges& ranges) {
  Block result = block;
  for (Statement& statement : result) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      ranges[loop->variable] = {0, loop->extent - 1};
      loop->body = simplified(loop->body, ranges);
      ranges.erase(loop->variable);
    } else if (auto* store = std::get_if<Store>(&statement.node)) {
      store->value = simplified(store->value, ranges);
    }
  }
  return result;
}

}  // namespace

Program simplify_bounds(const Program& program) {
  Program result = program;
  for (Kernel& kernel : result.kernels) {
    Ranges ranges;
    kernel.body = simplified(kernel.body, ranges);
  }
  return result;
}

}  // namespace dovetail
