// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/index_expression.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "core/base/check.h"
#include "core/ir/index/range_arithmetic.h"

namespace dovetail {
namespace {

// The m for which [m·d, (m+1)·d) contains every value of e, if there is one.
std::optional<int64_t> single_block(const IndexExpr& e, int64_t divisor, const Ranges& ranges) {
  const std::optional<Range> r = known_range(e, ranges);
  if (!r) return std::nullopt;
  const int64_t low = floor_quotient(r->min, divisor);
  if (low != floor_quotient(r->max, divisor)) return std::nullopt;
  return low;
}

IndexExpr atom_expression(IndexAtom::Kind kind, IndexExpr inner, int64_t divisor) {
  IndexAtom atom;
  atom.kind = kind;
  atom.inner = std::make_shared<const IndexExpr>(std::move(inner));
  atom.divisor = divisor;
  return IndexExpr::of({IndexTerm{1, std::move(atom)}}, 0);
}

// e = divisor·quotient + rest, by dividing each coefficient and the constant.
struct Divided {
  IndexExpr quotient, rest;
};
Divided take_multiples(const IndexExpr& e, int64_t divisor) {
  std::vector<IndexTerm> quotient, rest;
  for (const IndexTerm& term : e.terms()) {
    quotient.push_back({term.coefficient / divisor, term.atom});
    rest.push_back({term.coefficient % divisor, term.atom});
  }
  const int64_t q = floor_quotient(e.constant(), divisor);
  return {IndexExpr::of(std::move(quotient), q),
          IndexExpr::of(std::move(rest), e.constant() - q * divisor)};
}

// Greatest common divisor of the coefficients and of `divisor`, without the constant.
int64_t common_factor(const IndexExpr& e, int64_t divisor) {
  int64_t g = divisor;
  for (const IndexTerm& term : e.terms()) g = std::gcd(g, term.coefficient);
  return g;
}

IndexExpr divided_by_factor(const IndexExpr& e, int64_t factor) {
  std::vector<IndexTerm> terms = e.terms();
  for (IndexTerm& term : terms) term.coefficient /= factor;
  return IndexExpr::of(std::move(terms), floor_quotient(e.constant(), factor));
}

bool by_atom(const IndexTerm& a, const IndexTerm& b) { return a.atom < b.atom; }

const IndexAtom* lone_atom(const IndexExpr& e) {
  if (e.constant() != 0 || e.terms().size() != 1 || e.terms()[0].coefficient != 1) return nullptr;
  return &e.terms()[0].atom;
}

}  // namespace

bool operator==(const IndexAtom& a, const IndexAtom& b) {
  if (a.kind != b.kind || a.variable != b.variable || a.divisor != b.divisor) return false;
  return a.kind == IndexAtom::Kind::variable || *a.inner == *b.inner;
}

bool operator<(const IndexAtom& a, const IndexAtom& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == IndexAtom::Kind::variable) return a.variable < b.variable;
  if (a.divisor != b.divisor) return a.divisor < b.divisor;
  return *a.inner < *b.inner;
}

bool operator==(const IndexExpr& a, const IndexExpr& b) {
  return a.constant_ == b.constant_ && (a.terms_ == b.terms_ || a.terms() == b.terms());
}

bool operator<(const IndexExpr& a, const IndexExpr& b) {
  if (a.constant() != b.constant()) return a.constant() < b.constant();
  return std::lexicographical_compare(a.terms().begin(), a.terms().end(), b.terms().begin(),
                                      b.terms().end(), [](const IndexTerm& x, const IndexTerm& y) {
                                        return x.atom < y.atom ||
                                               (x.atom == y.atom && x.coefficient < y.coefficient);
                                      });
}

const std::vector<IndexTerm>& IndexExpr::terms() const {
  static const std::vector<IndexTerm> kNone;
  return terms_ ? *terms_ : kNone;
}

IndexExpr IndexExpr::variable(std::string name) {
  IndexAtom atom;
  atom.variable = std::move(name);
  return of({IndexTerm{1, std::move(atom)}}, 0);
}

IndexExpr IndexExpr::of(std::vector<IndexTerm> terms, int64_t constant) {
  std::sort(terms.begin(), terms.end(), by_atom);
  return collected(std::move(terms), constant);
}

IndexExpr IndexExpr::collected(std::vector<IndexTerm> sorted, int64_t constant) {
  size_t last = 0;  // index of the last distinct term so far
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[last].atom == sorted[i].atom)
      sorted[last].coefficient += sorted[i].coefficient;
    else if (++last != i)
      sorted[last] = std::move(sorted[i]);
  if (!sorted.empty()) sorted.resize(last + 1);
  std::erase_if(sorted, [](const IndexTerm& term) { return term.coefficient == 0; });
  IndexExpr e(constant);
  if (sorted.empty()) return e;
  e.terms_ = std::make_shared<const std::vector<IndexTerm>>(std::move(sorted));
  return e.is_affine() ? e : recombined(std::move(e));
}

// c·d·(x div d) + c·(x mod d)  ->  c·x: joins the quotient and the remainder of a fused loop.
IndexExpr IndexExpr::recombined(IndexExpr e) {
  for (const IndexTerm& mod : e.terms()) {
    if (mod.atom.kind != IndexAtom::Kind::mod) continue;
    for (const IndexTerm& div : e.terms()) {
      if (div.atom.kind != IndexAtom::Kind::div || div.atom.divisor != mod.atom.divisor ||
          div.coefficient != mod.coefficient * mod.atom.divisor ||
          *div.atom.inner != *mod.atom.inner) {
        continue;
      }
      const IndexExpr whole = *mod.atom.inner * mod.coefficient;
      std::vector<IndexTerm> rest;
      for (const IndexTerm& term : e.terms())
        if (!(term == mod) && !(term == div)) rest.push_back(term);
      return of(std::move(rest), e.constant_) + whole;
    }
  }
  return e;
}

bool IndexExpr::is_affine() const {
  return std::ranges::all_of(
      terms(), [](const IndexTerm& t) { return t.atom.kind == IndexAtom::Kind::variable; });
}

int64_t IndexExpr::coefficient(std::string_view variable) const {
  for (const IndexTerm& term : terms())
    if (term.atom.kind == IndexAtom::Kind::variable && term.atom.variable == variable)
      return term.coefficient;
  return 0;
}

bool IndexExpr::mentions(std::string_view variable) const {
  return std::ranges::any_of(terms(), [&](const IndexTerm& term) {
    return term.atom.inner ? term.atom.inner->mentions(variable) : term.atom.variable == variable;
  });
}

std::vector<std::string> IndexExpr::variables() const {
  std::set<std::string> names;
  for (const IndexTerm& term : terms()) {
    if (!term.atom.inner) {
      names.insert(term.atom.variable);
      continue;
    }
    for (std::string& name : term.atom.inner->variables()) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) {
  std::vector<IndexTerm> terms;
  terms.reserve(a.terms().size() + b.terms().size());
  std::merge(a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end(),
             std::back_inserter(terms), by_atom);
  return IndexExpr::collected(std::move(terms), a.constant() + b.constant());
}

IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) { return a + b * -1; }

// Skips sorting and collecting, because a factor other than 0 keeps the normal form and its order.
IndexExpr operator*(const IndexExpr& a, int64_t factor) {
  if (factor == 0) return IndexExpr(0);
  IndexExpr result(a.constant_ * factor);
  if (a.is_constant()) return result;
  std::vector<IndexTerm> terms = a.terms();
  for (IndexTerm& term : terms) term.coefficient *= factor;
  result.terms_ = std::make_shared<const std::vector<IndexTerm>>(std::move(terms));
  return result;
}

namespace {

// Rewrites c·(x mod m) as c·x - c·m·(x div m) for each m that `divisor` divides, so that the last
// term is a multiple of `divisor`. nullopt when there is no such term.
std::optional<IndexExpr> without_remainders(const IndexExpr& e, int64_t divisor,
                                            const Ranges& ranges) {
  constexpr int64_t kLargest = int64_t{1} << 20;  // products of two smaller factors fit 63 bits
  const auto expands = [&](const IndexTerm& term) {
    return term.atom.kind == IndexAtom::Kind::mod && term.atom.divisor % divisor == 0 &&
           term.atom.divisor < kLargest && std::abs(term.coefficient) < kLargest;
  };
  if (std::ranges::none_of(e.terms(), expands)) return std::nullopt;
  IndexExpr result(e.constant());
  for (const IndexTerm& term : e.terms()) {
    const IndexExpr own = IndexExpr::of({term}, 0);
    if (!expands(term)) {
      result = result + own;
      continue;
    }
    const int64_t m = term.atom.divisor;
    const IndexExpr& x = *term.atom.inner;
    result = result + x * term.coefficient - floor_div(x, m, ranges) * (m * term.coefficient);
  }
  return result;
}

// The quotient, if without_remainders makes every coefficient a multiple of `divisor`.
std::optional<IndexExpr> exact_quotient(const IndexExpr& e, int64_t divisor, const Ranges& ranges) {
  const std::optional<IndexExpr> expanded = without_remainders(e, divisor, ranges);
  if (!expanded) return std::nullopt;
  const Divided parts = take_multiples(*expanded, divisor);
  if (!parts.rest.is_constant()) return std::nullopt;
  return parts.quotient;
}

// The quotient or remainder of c·v + k as an affine expression, if it is one for all (few) values
// of v: always so for two values, such as the phases of stride 2.
std::optional<IndexExpr> as_line(IndexAtom::Kind kind, const IndexExpr& e, int64_t divisor,
                                 const Ranges& ranges) {
  if (e.terms().size() != 1 || e.terms()[0].atom.inner) return std::nullopt;
  const std::string variable = short_variable(e.terms()[0], ranges);
  if (variable.empty()) return std::nullopt;
  const Range values = ranges.find(variable)->second;
  const auto at = [&](int64_t v) {
    const int64_t value = evaluate(e, {{variable, v}});
    const int64_t quotient = floor_quotient(value, divisor);
    return kind == IndexAtom::Kind::div ? quotient : value - quotient * divisor;
  };
  const int64_t slope = at(values.min + 1) - at(values.min);
  for (int64_t v = values.min + 1; v < values.max; ++v)
    if (at(v + 1) - at(v) != slope) return std::nullopt;
  return IndexExpr::variable(variable) * slope + IndexExpr(at(values.min) - slope * values.min);
}

// e as g·high + low, 0 <= low < g, for the largest such g that divides the divisor: low is below
// every cut, as lanes of a vector are where loops outside of it were fused.
struct Digits {
  int64_t g = 1;
  IndexExpr high, low;
};

std::optional<Digits> finer_digits(const IndexExpr& e, int64_t divisor, const Ranges& ranges) {
  std::optional<Digits> best;
  for (const IndexTerm& candidate : e.terms()) {
    const int64_t g = std::gcd(candidate.coefficient, divisor);
    if (g == 1 || g == divisor || (best && g <= best->g)) continue;
    std::vector<IndexTerm> high, low;
    for (const IndexTerm& term : e.terms()) {
      const bool is_multiple = term.coefficient % g == 0;
      (is_multiple ? high : low)
          .push_back({is_multiple ? term.coefficient / g : term.coefficient, term.atom});
    }
    const int64_t above = floor_quotient(e.constant(), g);
    const IndexExpr rest = IndexExpr::of(std::move(low), e.constant() - above * g);
    const std::optional<Range> range = known_range(rest, ranges);
    if (!rest.is_constant() && range && range->min >= 0 && range->max < g)
      best = Digits{g, IndexExpr::of(std::move(high), above), rest};
  }
  return best;
}

}  // namespace

IndexExpr floor_div(const IndexExpr& e, int64_t divisor, const Ranges& ranges) {
  CHECK(divisor > 0, "floor_div needs a positive divisor");
  if (divisor == 1) return e;
  const Divided parts = take_multiples(e, divisor);
  if (const auto block = single_block(parts.rest, divisor, ranges)) return parts.quotient + *block;
  if (const auto exact = exact_quotient(parts.rest, divisor, ranges))
    return parts.quotient + *exact;
  if (const int64_t g = common_factor(parts.rest, divisor); g > 1)
    return parts.quotient + floor_div(divided_by_factor(parts.rest, g), divisor / g, ranges);
  if (const auto digits = finer_digits(parts.rest, divisor, ranges))
    return parts.quotient + floor_div(digits->high, divisor / digits->g, ranges);
  if (const IndexAtom* atom = lone_atom(parts.rest)) {
    int64_t product = 0;
    if (atom->kind == IndexAtom::Kind::div &&
        !__builtin_mul_overflow(atom->divisor, divisor, &product)) {
      return parts.quotient + floor_div(*atom->inner, product, ranges);
    }
    if (atom->kind == IndexAtom::Kind::mod && atom->divisor % divisor == 0) {
      return parts.quotient +
             floor_mod(floor_div(*atom->inner, divisor, ranges), atom->divisor / divisor, ranges);
    }
  }
  if (const auto line = as_line(IndexAtom::Kind::div, parts.rest, divisor, ranges))
    return parts.quotient + *line;
  return parts.quotient + atom_expression(IndexAtom::Kind::div, parts.rest, divisor);
}

IndexExpr floor_mod(const IndexExpr& e, int64_t divisor, const Ranges& ranges) {
  CHECK(divisor > 0, "floor_mod needs a positive divisor");
  if (divisor == 1) return IndexExpr(0);
  const IndexExpr rest = take_multiples(e, divisor).rest;
  if (const auto block = single_block(rest, divisor, ranges))
    return rest - IndexExpr(*block * divisor);
  if (const auto expanded = without_remainders(rest, divisor, ranges); expanded && !lone_atom(rest))
    return floor_mod(*expanded, divisor, ranges);
  if (const int64_t g = common_factor(rest, divisor); g > 1) {
    const int64_t below = rest.constant() - floor_quotient(rest.constant(), g) * g;
    return floor_mod(divided_by_factor(rest, g), divisor / g, ranges) * g + IndexExpr(below);
  }
  if (const auto digits = finer_digits(rest, divisor, ranges))
    return floor_mod(digits->high, divisor / digits->g, ranges) * digits->g + digits->low;
  if (const IndexAtom* atom = lone_atom(rest)) {
    if (atom->kind == IndexAtom::Kind::mod && atom->divisor % divisor == 0)
      return floor_mod(*atom->inner, divisor, ranges);
  }
  if (const auto line = as_line(IndexAtom::Kind::mod, rest, divisor, ranges)) return *line;
  return atom_expression(IndexAtom::Kind::mod, rest, divisor);
}

namespace {

using Values = std::map<std::string, IndexExpr, std::less<>>;

// Fast path: affine values in an affine expression are sums of terms, with nothing to simplify;
// nullopt where the expression or a value is not affine.
std::optional<IndexExpr> substituted_terms(const IndexExpr& e, const Values& values) {
  std::vector<IndexTerm> terms;
  int64_t constant = e.constant();
  for (const IndexTerm& term : e.terms()) {
    if (term.atom.inner) return std::nullopt;
    const auto it = values.find(term.atom.variable);
    if (it == values.end()) {
      terms.push_back(term);
      continue;
    }
    if (!it->second.is_affine()) return std::nullopt;
    constant += it->second.constant() * term.coefficient;
    for (const IndexTerm& own : it->second.terms())
      terms.push_back({own.coefficient * term.coefficient, own.atom});
  }
  return IndexExpr::of(std::move(terms), constant);
}

}  // namespace

IndexExpr substitute(const IndexExpr& e, const Values& values, const Ranges& ranges) {
  if (std::optional<IndexExpr> affine = substituted_terms(e, values)) return std::move(*affine);
  IndexExpr result(e.constant());
  for (const IndexTerm& term : e.terms()) {
    if (term.atom.kind == IndexAtom::Kind::variable) {
      const auto it = values.find(term.atom.variable);
      result =
          result + (it == values.end() ? IndexExpr::of({IndexTerm{1, term.atom}}, 0) : it->second) *
                       term.coefficient;
      continue;
    }
    const IndexExpr inner = substitute(*term.atom.inner, values, ranges);
    const bool is_div = term.atom.kind == IndexAtom::Kind::div;
    result = result + (is_div ? floor_div(inner, term.atom.divisor, ranges)
                              : floor_mod(inner, term.atom.divisor, ranges)) *
                          term.coefficient;
  }
  return result;
}

IndexExpr flattened(const std::vector<IndexExpr>& indices, const std::vector<int64_t>& extents) {
  CHECK(indices.size() == extents.size(), "as many indices as axes");
  IndexExpr position;
  for (size_t axis = 0; axis < indices.size(); ++axis)
    position = position * extents[axis] + indices[axis];
  return position;
}

int64_t evaluate(const IndexExpr& e, const Bindings& values) {
  int64_t total = e.constant();
  for (const IndexTerm& term : e.terms()) {
    if (term.atom.kind == IndexAtom::Kind::variable) {
      const auto it = values.find(term.atom.variable);
      CHECK(it != values.end(), "no value for variable " + term.atom.variable);
      total += term.coefficient * it->second;
      continue;
    }
    const int64_t inner = evaluate(*term.atom.inner, values);
    const int64_t quotient = floor_quotient(inner, term.atom.divisor);
    total +=
        term.coefficient *
        (term.atom.kind == IndexAtom::Kind::div ? quotient : inner - quotient * term.atom.divisor);
  }
  return total;
}

}  // namespace dovetail
