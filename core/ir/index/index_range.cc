// SPDX-License-Identifier: Apache-2.0
//
// Ranges of expressions: known_range() and range_of().
#include <algorithm>
#include <map>
#include <optional>

#include "core/base/check.h"
#include "core/ir/index/range_arithmetic.h"

namespace dovetail {
namespace {

constexpr int64_t kSmallNumber = int64_t{1} << 31;

std::optional<Range> known_range(const IndexAtom& atom, const Ranges& ranges) {
  if (atom.kind == IndexAtom::Kind::variable) {
    const auto it = ranges.find(atom.variable);
    if (it == ranges.end()) return std::nullopt;
    return it->second;
  }
  const std::optional<Range> inner = known_range(*atom.inner, ranges);
  if (inner) return divided_range(atom, *inner);
  if (atom.kind == IndexAtom::Kind::div) return std::nullopt;
  return Range{0, atom.divisor - 1};
}

bool is_small_throughout(const IndexExpr& e) {
  const auto small = [](int64_t n) { return n > -kSmallNumber && n < kSmallNumber; };
  return small(e.constant()) && std::ranges::all_of(e.terms(), [&](const IndexTerm& term) {
           return small(term.coefficient) &&
                  (!term.atom.inner || is_small_throughout(*term.atom.inner));
         });
}

Range range_by_values(const IndexExpr& e, const std::string& variable, const Range& values) {
  Range seen{INT64_MAX, INT64_MIN};
  for (int64_t v = values.min; v <= values.max; ++v) {
    const int64_t value = evaluate(e, {{variable, v}});
    seen = {std::min(seen.min, value), std::max(seen.max, value)};
  }
  return seen;
}

// Splits e into sums whose ranges can be added: one sum of all terms over each short variable, if
// there are several and one is a div or mod; the other terms one by one.
std::vector<IndexExpr> independent_sums(const IndexExpr& e, const Ranges& ranges) {
  std::map<std::string, std::vector<IndexTerm>> groups;
  std::vector<IndexExpr> sums;
  for (const IndexTerm& term : e.terms()) groups[short_variable(term, ranges)].push_back(term);
  for (auto& [variable, terms] : groups) {
    const bool divides =
        std::ranges::any_of(terms, [](const IndexTerm& t) { return t.atom.inner != nullptr; });
    if (!variable.empty() && divides && terms.size() > 1) {
      sums.push_back(IndexExpr::of(std::move(terms), 0));
      continue;
    }
    for (IndexTerm& term : terms) sums.push_back(IndexExpr::of({std::move(term)}, 0));
  }
  return sums;
}

}  // namespace

bool add_scaled(Range& total, int64_t coefficient, const Range& range) {
  int64_t a = 0, b = 0;
  return !__builtin_mul_overflow(coefficient, range.min, &a) &&
         !__builtin_mul_overflow(coefficient, range.max, &b) &&
         !__builtin_add_overflow(total.min, std::min(a, b), &total.min) &&
         !__builtin_add_overflow(total.max, std::max(a, b), &total.max);
}

Range divided_range(const IndexAtom& atom, const Range& inner) {
  const int64_t low = floor_quotient(inner.min, atom.divisor);
  const int64_t high = floor_quotient(inner.max, atom.divisor);
  if (atom.kind == IndexAtom::Kind::div) return {low, high};
  if (low == high) return {inner.min - low * atom.divisor, inner.max - low * atom.divisor};
  return {0, atom.divisor - 1};
}

std::string short_variable(const IndexTerm& term, const Ranges& ranges) {
  constexpr int64_t kMaxValues = 64;
  if (term.atom.inner && term.atom.inner->variables().size() != 1) return "";
  const std::string name = term.atom.inner ? term.atom.inner->variables()[0] : term.atom.variable;
  const auto it = ranges.find(name);
  if (it == ranges.end() || it->second.min <= -kSmallNumber || it->second.max >= kSmallNumber)
    return "";
  return it->second.max - it->second.min < kMaxValues ? name : "";
}

std::optional<Range> known_range(const IndexExpr& e, const Ranges& ranges) {
  Range total{e.constant(), e.constant()};
  const auto add = [&](const IndexTerm& term) {
    const std::optional<Range> r = known_range(term.atom, ranges);
    return r && add_scaled(total, term.coefficient, *r);
  };
  if (e.terms().size() < 2 || e.is_affine() || !is_small_throughout(e))
    return std::ranges::all_of(e.terms(), add) ? std::optional(total) : std::nullopt;
  for (const IndexExpr& sum : independent_sums(e, ranges)) {
    if (sum.terms().size() == 1) {
      if (!add(sum.terms()[0])) return std::nullopt;
      continue;
    }
    const std::string variable = sum.variables()[0];
    if (!add_scaled(total, 1, range_by_values(sum, variable, ranges.find(variable)->second)))
      return std::nullopt;
  }
  return total;
}

Range range_of(const IndexExpr& e, const Ranges& ranges) {
  for (const std::string& name : e.variables())
    CHECK(ranges.contains(name), "no range for variable " + name);
  const std::optional<Range> range = known_range(e, ranges);
  CHECK(range.has_value(), "the range of " + print(e) + " exceeds 63 bits");
  return *range;
}

bool always_holds(const Bound& bound, const Ranges& ranges) {
  const Range range = range_of(bound.expr, ranges);
  return range.min >= bound.lower && range.max < bound.upper;
}

}  // namespace dovetail
