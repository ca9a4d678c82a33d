// SPDX-License-Identifier: Apache-2.0
//
// IndexExpr: an integer expression over loop variables, kept in one normal form:
//
//     constant + Σ coefficient · atom        atom = variable | (expr div d) | (expr mod d)
//
// Example, the height index of a 3×3 window over a tile of four rows, in a tensor cut at 4:
//
//     h = 4*h.0 + h.1          h.0 in [0, 13], h.1 in [0, 3]
//     (h + 0) div 4  ->  h.0   (h + 0) mod 4  ->  h.1     by ranges alone, no division survives
//     (h + kh) div 4 ->  h.0 + (h.1 + kh) div 4           not a cut: the rest stays, and is visible
//
// Why a normal form and not a tree with a rewriter: layouts and loops cut an axis at the same
// places (a divisibility chain), so the only rules ever needed are "multiples of d leave the
// division" and "a rest in [0, d) vanishes" (as ALT §4 and Hidet do). With terms sorted and
// collected, equality is `==` and both rules are a partition of the terms. div and mod are floored.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// Closed interval [min, max] of the values that an expression takes.
struct Range {
  int64_t min = 0;
  int64_t max = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

using Ranges = std::map<std::string, Range, std::less<>>;
using Bindings = std::map<std::string, int64_t, std::less<>>;

class IndexExpr;

// variable (divisor 0), or floor(inner / divisor), or inner mod divisor.
struct IndexAtom {
  enum class Kind : uint8_t { variable, div, mod };
  Kind kind = Kind::variable;
  std::string variable;                    // kind variable only
  std::shared_ptr<const IndexExpr> inner;  // kind div and mod only
  int64_t divisor = 0;                     // > 1
};
bool operator==(const IndexAtom& a, const IndexAtom& b);
bool operator<(const IndexAtom& a, const IndexAtom& b);  // total order of the normal form

struct IndexTerm {
  int64_t coefficient = 0;  // never 0 in a normal form
  IndexAtom atom;
  friend bool operator==(const IndexTerm&, const IndexTerm&) = default;
};

class IndexExpr {
 public:
  IndexExpr() = default;
  IndexExpr(int64_t constant) : constant_(constant) {}  // NOLINT: numbers are expressions
  static IndexExpr variable(std::string name);
  static IndexExpr of(std::vector<IndexTerm> terms, int64_t constant);  // sorts and collects

  int64_t constant() const { return constant_; }
  const std::vector<IndexTerm>& terms() const;
  bool is_constant() const { return terms_ == nullptr; }
  bool is_affine() const;  // no div, no mod
  // Coefficient of a plain variable; 0 when it occurs only inside div and mod, or not at all.
  int64_t coefficient(std::string_view variable) const;
  bool mentions(std::string_view variable) const;  // inside div and mod too
  std::vector<std::string> variables() const;      // sorted, distinct, inside div and mod too

  friend bool operator==(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator*(const IndexExpr& a, int64_t factor);

 private:
  static IndexExpr collected(std::vector<IndexTerm> sorted, int64_t constant);
  static IndexExpr recombined(IndexExpr e);
  // Sorted by atom, distinct atoms, no zero coefficient; null when there are none. Shared, because
  // a pass copies most expressions of a program unchanged: allocations dominated lowering.
  std::shared_ptr<const std::vector<IndexTerm>> terms_;
  int64_t constant_ = 0;
};
bool operator==(const IndexExpr& a, const IndexExpr& b);
bool operator<(const IndexExpr& a, const IndexExpr& b);

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
IndexExpr operator-(const IndexExpr& a, const IndexExpr& b);
IndexExpr operator*(const IndexExpr& a, int64_t factor);

// floor(e / divisor) and e - divisor·floor(e / divisor), simplified by the variables' ranges:
//   (Σ c·v + k) div d = Σ_{d|c} (c/d)·v + k' + (rest) div d   and the last term vanishes when
//   (Σ c·v + k) mod d = (rest) mod d                             range(rest) ⊂ [0, d)
//   (g·h + l) div g·d = h div d   (g·h + l) mod g·d = g·(h mod d) + l      range(l) ⊂ [0, g)
//   (x div a) div b = x div a·b   (x mod a·b) mod b = x mod b   (x mod a·b) div b = (x div b) mod a
//   (e + (x mod a·b)) mod b = (e + x) mod b
//   (x - (x mod d)) div d = x div d     where what x mod d leaves out makes the division exact
// Requires divisor > 0. A variable without a range counts as unbounded.
IndexExpr floor_div(const IndexExpr& e, int64_t divisor, const Ranges& ranges);
IndexExpr floor_mod(const IndexExpr& e, int64_t divisor, const Ranges& ranges);

// Exact for affine expressions. Terms with div or mod over one variable of at most 64 values are
// evaluated together (the phases of a transposed convolution: `((h.1 + 1) div 2) - h.1` is in
// [0, 0]); otherwise conservative. Every variable must have a range (CHECKed).
Range range_of(const IndexExpr& e, const Ranges& ranges);
// The same, but nullopt when a variable has no range or a limit exceeds 63 bits.
std::optional<Range> known_range(const IndexExpr& e, const Ranges& ranges);

// Row-major offset in axes of these extents. The digits of a fused loop's variable simplify back to
// the variable:
//   [(f div 7), (f mod 7), c] in axes of 7, 7, 16  ->  16*f + c
IndexExpr flattened(const std::vector<IndexExpr>& indices, const std::vector<int64_t>& extents);

// lower <= expr < upper
struct Bound {
  IndexExpr expr;
  int64_t lower = 0, upper = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

// Says whether the bound holds for all values of its variables.
bool always_holds(const Bound& bound, const Ranges& ranges);

// Replaces variables and simplifies again; `ranges` are those of the variables that remain.
IndexExpr substitute(const IndexExpr& e,
                     const std::map<std::string, IndexExpr, std::less<>>& values,
                     const Ranges& ranges);

// Every variable must be bound (CHECKed).
int64_t evaluate(const IndexExpr& e, const Bindings& values);

// `16*i.0 + h.1 + ((h + kh) div 4) + (w mod 7) - 1`; parse accepts the output of print, with any
// spacing.
std::string print(const IndexExpr& e);
std::string print_indices(const std::vector<IndexExpr>& indices);  // `[h.0, 4*w.1 + 1]`
Result<IndexExpr> parse_index_expression(std::string_view text);

}  // namespace dovetail
