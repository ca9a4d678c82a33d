// SPDX-License-Identifier: Apache-2.0
#include "core/ir/bounded_range.h"

#include <algorithm>

namespace dovetail {
namespace {

constexpr Range kEmpty{1, 0};

std::optional<Range> atom_range(const IndexAtom& atom, const Ranges& ranges,
                                std::span<const Bound> bounds) {
  if (atom.kind == IndexAtom::Kind::variable) {
    const auto it = ranges.find(atom.variable);
    if (it == ranges.end()) return std::nullopt;
    return it->second;
  }
  const std::optional<Range> inner = bounded_range(*atom.inner, ranges, bounds);
  if (!inner || inner->min > inner->max) return inner;
  const int64_t low = evaluate(floor_div(inner->min, atom.divisor, {}), {});
  const int64_t high = evaluate(floor_div(inner->max, atom.divisor, {}), {});
  if (atom.kind == IndexAtom::Kind::div) return Range{low, high};
  if (low == high) return Range{inner->min - low * atom.divisor, inner->max - low * atom.divisor};
  return Range{0, atom.divisor - 1};
}

// total += coefficient · range; false when 63 bits do not hold it.
bool add_scaled(Range& total, int64_t coefficient, const Range& range) {
  int64_t a = 0;
  int64_t b = 0;
  return !__builtin_mul_overflow(coefficient, range.min, &a) &&
         !__builtin_mul_overflow(coefficient, range.max, &b) &&
         !__builtin_add_overflow(total.min, std::min(a, b), &total.min) &&
         !__builtin_add_overflow(total.max, std::max(a, b), &total.max);
}

}  // namespace

std::optional<Range> bounded_range(const IndexExpr& e, const Ranges& ranges,
                                   std::span<const Bound> bounds) {
  Range total{e.constant(), e.constant()};
  for (const IndexTerm& term : e.terms()) {
    const std::optional<Range> range = atom_range(term.atom, ranges, bounds);
    if (!range) return std::nullopt;
    if (range->min > range->max) return kEmpty;
    if (!add_scaled(total, term.coefficient, *range)) return std::nullopt;
  }
  // e = b + (e - b) for every bound on b.
  for (const Bound& bound : bounds) {
    if (bound.lower >= bound.upper) return kEmpty;
    const std::optional<Range> rest = known_range(e - bound.expr, ranges);
    Range held{bound.lower, bound.upper - 1};
    if (!rest || !add_scaled(held, 1, *rest)) continue;
    total = {std::max(total.min, held.min), std::min(total.max, held.max)};
  }
  return total;
}

}  // namespace dovetail
