// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/bounded_range.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/ir/index/range_arithmetic.h"

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
  return divided_range(atom, *inner);
}

// True if the bound's expression is a constant that violates it (a loop variable became a number).
bool fails(const Bound& bound) {
  const int64_t value = bound.expr.constant();
  return bound.expr.is_constant() && (value < bound.lower || value >= bound.upper);
}

// scale·e = times·b + rest, for a bounded expression b.
struct Multiple {
  int64_t scale = 1;  // > 0
  int64_t times = 1;
  friend bool operator==(const Multiple&, const Multiple&) = default;
};

constexpr int64_t kSmall = int64_t{1} << 31;    // products of two such numbers fit 63 bits
constexpr int64_t kAddable = int64_t{1} << 61;  // sums of two such numbers do
constexpr size_t kMaxTogether = 8;  // most bounds that are combined: the combinations multiply

bool numbers_below(const IndexExpr& e, int64_t limit) {
  const auto fits = [&](int64_t n) { return n > -limit && n < limit; };
  return fits(e.constant()) && std::ranges::all_of(e.terms(), [&](const IndexTerm& term) {
           return fits(term.coefficient);
         });
}

bool has_small_numbers(const IndexExpr& e) { return numbers_below(e, kSmall); }

// The multiples that cancel a term common to e and b; none when they share no term, because then
// the bound on b does not constrain e.
std::vector<Multiple> multiples(const IndexExpr& e, const IndexExpr& b) {
  if (!numbers_below(e, kAddable) || !numbers_below(b, kAddable)) return {};
  std::vector<Multiple> result;
  const bool small = has_small_numbers(e) && has_small_numbers(b);
  for (const IndexTerm& part : b.terms()) {
    for (const IndexTerm& term : e.terms()) {
      if (!(term.atom == part.atom)) continue;
      const int64_t common = small ? std::gcd(term.coefficient, part.coefficient) : 1;
      const int64_t sign = part.coefficient < 0 ? -1 : 1;
      const Multiple found =
          small ? Multiple{sign * part.coefficient / common, sign * term.coefficient / common}
                : Multiple{1, 1};
      if (std::ranges::find(result, found) == result.end()) result.push_back(found);
    }
  }
  return result;
}

// The integers n with scale·n in `held`.
Range divided(const Range& held, int64_t scale) {
  return {ceil_quotient(held.min, scale), floor_quotient(held.max, scale)};
}

// A term `x div d` of e = others + x div d, which equals (d·others + x) div d; null: none.
const IndexTerm* division_of(const IndexExpr& e) {
  if (!has_small_numbers(e)) return nullptr;
  const auto found = std::ranges::find_if(e.terms(), [](const IndexTerm& term) {
    return term.coefficient == 1 && term.atom.kind == IndexAtom::Kind::div &&
           term.atom.divisor < kSmall;
  });
  return found == e.terms().end() ? nullptr : &*found;
}

IndexExpr dividend(const IndexExpr& e, const IndexTerm& division) {
  return *division.atom.inner + (e - IndexExpr::of({division}, 0)) * division.atom.divisor;
}

// The n for which e has all terms of x, n times each; 0 where there is none.
int64_t times_of(const IndexExpr& e, const IndexExpr& x) {
  const IndexTerm& first = x.terms().front();
  const auto found = std::ranges::find(e.terms(), first.atom, &IndexTerm::atom);
  if (found == e.terms().end() || found->coefficient % first.coefficient != 0) return 0;
  const int64_t times = found->coefficient / first.coefficient;
  const bool has_all = std::ranges::all_of(x.terms(), [&](const IndexTerm& term) {
    const auto own = std::ranges::find(e.terms(), term.atom, &IndexTerm::atom);
    return own != e.terms().end() && own->coefficient == times * term.coefficient;
  });
  return has_all ? times : 0;
}

// n*x - n*d*(x div d) as n*(x mod d), which a bound may be known of.
IndexExpr with_remainders(const IndexExpr& e) {
  if (!has_small_numbers(e)) return e;
  for (const IndexTerm& term : e.terms()) {
    if (term.atom.kind != IndexAtom::Kind::div || term.atom.divisor >= kSmall) continue;
    const IndexExpr& x = *term.atom.inner;
    if (x.terms().empty() || !has_small_numbers(x)) continue;
    const int64_t times = times_of(e, x);
    if (times == 0 || term.coefficient % term.atom.divisor != 0 ||
        term.coefficient / term.atom.divisor != -times)
      continue;
    IndexTerm remainder = term;
    remainder.coefficient = times;
    remainder.atom.kind = IndexAtom::Kind::mod;
    return with_remainders(e - x * times - IndexExpr::of({term}, 0) +
                           IndexExpr::of({remainder}, 0));
  }
  return e;
}

bool shares_term(const IndexExpr& e, const Bound& bound) {
  return std::ranges::any_of(bound.expr.terms(), [&](const IndexTerm& part) {
    return std::ranges::any_of(e.terms(),
                               [&](const IndexTerm& term) { return term.atom == part.atom; });
  });
}

// Moves bounds that share no term with e itself to the end, because after one bound is subtracted
// from e, only later bounds apply to the rest. Empty if they are in that order already.
std::vector<Bound> inner_ones_last(const IndexExpr& e, std::span<const Bound> bounds) {
  const auto shares = [&](const Bound& bound) { return shares_term(e, bound); };
  if (std::ranges::is_partitioned(bounds, shares)) return {};
  std::vector<Bound> sorted(bounds.begin(), bounds.end());
  std::ranges::stable_partition(sorted, shares);
  return sorted;
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
  if (!e.is_affine()) {
    const std::optional<Range> alone = known_range(e, ranges);
    if (alone) total = {std::max(total.min, alone->min), std::min(total.max, alone->max)};
  }
  if (const IndexTerm* division = bounds.empty() ? nullptr : division_of(e)) {
    const std::optional<Range> whole = bounded_range(dividend(e, *division), ranges, bounds);
    if (whole && whole->min > whole->max) return kEmpty;
    const int64_t d = division->atom.divisor;
    if (whole)
      total = {std::max(total.min, floor_quotient(whole->min, d)),
               std::min(total.max, floor_quotient(whole->max, d))};
  }
  const std::vector<Bound> sorted =
      e.is_affine() ? std::vector<Bound>() : inner_ones_last(e, bounds);
  if (!sorted.empty()) bounds = sorted;
  // For every bound on b: scale·e = times·b + rest, and later bounds may narrow the rest.
  for (size_t k = 0; k < bounds.size(); ++k) {
    const Bound& bound = bounds[k];
    if (bound.lower >= bound.upper || fails(bound)) return kEmpty;
    const std::span<const Bound> others =
        bounds.size() <= kMaxTogether ? bounds.subspan(k + 1) : std::span<const Bound>();
    for (const auto& [scale, times] : multiples(e, bound.expr)) {
      const std::optional<Range> rest =
          bounded_range(with_remainders(e * scale - bound.expr * times), ranges, others);
      if (!rest) continue;
      if (rest->min > rest->max) return kEmpty;
      Range held = *rest;
      if (!add_scaled(held, times, {bound.lower, bound.upper - 1})) continue;
      held = divided(held, scale);
      total = {std::max(total.min, held.min), std::min(total.max, held.max)};
    }
  }
  return total;
}

Bound without_division(const Bound& bound) {
  Bound result = bound;
  while (const IndexTerm* division = division_of(result.expr)) {
    const int64_t d = division->atom.divisor;
    int64_t lower = 0, upper = 0;
    if (__builtin_mul_overflow(result.lower, d, &lower) ||
        __builtin_mul_overflow(result.upper, d, &upper))
      break;
    // The constant moves into the limits, so that the bounded expression stays recognisable.
    const IndexExpr inner = dividend(result.expr, *division);
    const IndexExpr varying = IndexExpr::of(inner.terms(), 0);
    if (__builtin_sub_overflow(lower, inner.constant(), &lower) ||
        __builtin_sub_overflow(upper, inner.constant(), &upper))
      break;
    result = {varying, lower, upper};
  }
  return result;
}

Bound without_remainder(const Bound& bound, const Ranges& ranges) {
  Bound result = bound;
  Range held{bound.lower, bound.upper};
  for (const IndexTerm& term : bound.expr.terms()) {
    if (term.atom.kind != IndexAtom::Kind::mod) continue;
    const IndexExpr& inner = *term.atom.inner;
    const std::optional<Range> range = known_range(inner, ranges);
    const int64_t d = term.atom.divisor;
    if (!range || !has_small_numbers(inner) || term.coefficient <= -kSmall / d ||
        term.coefficient >= kSmall / d)
      return bound;
    const Range quotients{floor_quotient(range->min, d), floor_quotient(range->max, d)};
    if (!add_scaled(held, term.coefficient * d, quotients)) return bound;
    result.expr = result.expr - IndexExpr::of({term}, 0) + inner * term.coefficient;
  }
  result.lower = held.min, result.upper = held.max;
  return result;
}

}  // namespace dovetail
