// SPDX-License-Identifier: Apache-2.0
#include "primitives/propagation/simple_branches.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/value/walk.h"
#include "primitives/divisors.h"

namespace dovetail {
namespace {

Bound of_coarse_digits(const Bound& bound, const Ranges& ranges) {
  const int64_t most = std::gcd(bound.lower, bound.upper);
  if (most == 0) return bound;
  std::vector<int64_t> steps = divisors(most);
  std::ranges::reverse(steps);
  for (const int64_t step : steps) {
    IndexExpr coarse = floor_div(bound.expr, step, ranges);
    if (coarse.is_affine()) return {std::move(coarse), bound.lower / step, bound.upper / step};
  }
  return bound;
}

Value with_coarse_bounds(const Value& value, const Ranges& ranges) {
  return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
    const auto* choice = node.as<Select>();
    if (choice == nullptr) return std::nullopt;
    std::vector<Bound> bounds = choice->bounds;
    for (Bound& bound : bounds) bound = of_coarse_digits(bound, ranges);
    return select(std::move(bounds), choice->then, choice->otherwise);
  });
}

using AxisValues = std::map<std::string, IndexExpr, std::less<>>;

// Values that axes must have where a read occurs; unknown for a read that occurs twice.
class BranchValues {
 public:
  BranchValues(const Value& element, const Ranges& ranges) : ranges_(ranges) { visit(element, {}); }

  AxisValues of_read(size_t read) const {
    const auto found = values_.find(read);
    return found == values_.end() || found->second.size() != 1 ? AxisValues()
                                                               : found->second.front();
  }

 private:
  void visit(const Value& value, const AxisValues& known) {
    if (const auto* read = value.as<ReadOf>()) {
      values_[static_cast<size_t>(read->position)].push_back(known);
    } else if (const auto* choice = value.as<Select>()) {
      visit(choice->then, with_bounds(known, choice->bounds, true));
      visit(choice->otherwise, with_bounds(known, choice->bounds, false));
    } else {
      for_each_node(value, [&](const Value& node) {
        if (const auto* inner = node.as<ReadOf>())
          values_[static_cast<size_t>(inner->position)].push_back({});
      });
    }
  }

  // Where several bounds do not all hold, it is unknown which one fails.
  AxisValues with_bounds(AxisValues known, const std::vector<Bound>& bounds, bool hold) const {
    if (!hold && bounds.size() != 1) return known;
    for (const Bound& bound : bounds) {
      const std::vector<std::string> names = bound.expr.variables();
      if (names.size() != 1 || !(bound.expr == IndexExpr::variable(names[0]))) continue;
      const Range range = ranges_.at(names[0]);
      const std::optional<int64_t> value =
          hold ? only_inside(bound, range) : only_outside(bound, range);
      if (value) known[names[0]] = IndexExpr(*value);
    }
    return known;
  }

  static std::optional<int64_t> only_inside(const Bound& bound, const Range& range) {
    const int64_t first = std::max(bound.lower, range.min);
    return std::min(bound.upper, range.max + 1) - first == 1 ? std::optional(first) : std::nullopt;
  }

  static std::optional<int64_t> only_outside(const Bound& bound, const Range& range) {
    const int64_t below = std::max<int64_t>(bound.lower - range.min, 0);
    const int64_t above = std::max<int64_t>(range.max + 1 - bound.upper, 0);
    if (below + above != 1) return std::nullopt;
    return below == 1 ? range.min : range.max;
  }

  const Ranges& ranges_;
  std::map<size_t, std::vector<AxisValues>> values_;
};

}  // namespace

Computation with_simple_branches(Computation computation) {
  const Ranges ranges = axis_ranges(computation);
  computation.element = with_coarse_bounds(computation.element, ranges);
  computation.result = with_coarse_bounds(computation.result, ranges);
  const BranchValues values(computation.element, ranges);
  for (size_t r = 0; r < computation.reads.size(); ++r) {
    const AxisValues known = values.of_read(r);
    if (known.empty()) continue;
    for (IndexExpr& index : computation.reads[r].indices) index = substitute(index, known, ranges);
    for (Bound& bound : computation.reads[r].conditions)
      bound.expr = substitute(bound.expr, known, ranges);
  }
  return computation;
}

}  // namespace dovetail
