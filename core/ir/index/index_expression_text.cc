// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/ir/index/index_expression.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

std::string print_atom(const IndexAtom& atom) {
  if (atom.kind == IndexAtom::Kind::variable) return atom.variable;
  const IndexExpr& inner = *atom.inner;
  const bool bare =
      inner.constant() == 0 && inner.terms().size() == 1 && inner.terms()[0].coefficient == 1;
  const std::string text = bare ? print(inner) : "(" + print(inner) + ")";
  return "(" + text + (atom.kind == IndexAtom::Kind::div ? " div " : " mod ") +
         std::to_string(atom.divisor) + ")";
}

// expression := ['-'] product (('+' | '-') product)*
// product    := factor ('*' factor | ('div' | 'mod') integer)*        one factor is a number
// factor     := integer | name | '(' expression ')'
// Coefficients and constants stay below this, so that sums and products of a few of them fit 63
// bits.
constexpr int64_t kLargest = int64_t{1} << 53;

constexpr size_t kMaxTerms = 200;
constexpr int kMaxDivisions = 100;  // in one expression: bounds the nesting of its atoms

bool is_large(int64_t number) { return number > kLargest || number < -kLargest; }

bool is_moderate(const IndexExpr& e) {
  if (is_large(e.constant())) return false;
  return std::none_of(e.terms().begin(), e.terms().end(),
                      [](const IndexTerm& term) { return is_large(term.coefficient); });
}

class IndexParser {
 public:
  explicit IndexParser(Cursor& cursor) : cursor_(cursor) {}

  Result<IndexExpr> expression(int depth) {
    if (depth > kMaxNesting)
      return cursor_.unexpected(fmt::format("at most {} nested parentheses", kMaxNesting));
    const bool negative = cursor_.accept_symbol("-");
    IndexExpr total = TRY(product(depth));
    if (negative) total = total * -1;
    while (cursor_.at_symbol("+") || cursor_.at_symbol("-")) {
      const Token sign = cursor_.take();
      const IndexExpr next = TRY(product(depth));
      total = sign.text == "+" ? total + next : total - next;
      if (!is_moderate(total)) return too_large(sign);
      if (total.terms().size() > kMaxTerms) return cursor_.fail_at(sign, "more than 200 terms");
    }
    return total;
  }

 private:
  Unexpected too_large(const Token& token) {
    return cursor_.fail_at(token, "the number is too large; expected at most 2^53");
  }

  // left · right, where one of them is a number.
  Result<IndexExpr> times(const Token& star, const IndexExpr& left, const IndexExpr& right) {
    if (!left.is_constant() && !right.is_constant())
      return cursor_.fail_at(star,
                             "a product of two variables, expected one factor to be a number");
    const IndexExpr& value = left.is_constant() ? right : left;
    const int64_t factor = left.is_constant() ? left.constant() : right.constant();
    const auto overflows = [&](int64_t coefficient) {
      int64_t scaled = 0;
      return __builtin_mul_overflow(coefficient, factor, &scaled) || is_large(scaled);
    };
    if (overflows(value.constant())) return too_large(star);
    for (const IndexTerm& term : value.terms())
      if (overflows(term.coefficient)) return too_large(star);
    return value * factor;
  }

  Result<IndexExpr> product(int depth) {
    IndexExpr value = TRY(factor(depth));
    while (true) {
      if (cursor_.at_symbol("*")) {
        const Token star = cursor_.take();
        const IndexExpr right = TRY(factor(depth));
        value = TRY(times(star, value, right));
      } else if (cursor_.at_name("div") || cursor_.at_name("mod")) {
        value = TRY(division(value));
      } else {
        return value;
      }
    }
  }

  Result<IndexExpr> division(const IndexExpr& value) {
    if (++divisions_ > kMaxDivisions)
      return cursor_.unexpected(fmt::format("at most {} divisions", kMaxDivisions));
    const bool is_div = cursor_.take().text == "div";
    const Token divisor = cursor_.peek();
    const int64_t number = TRY(cursor_.expect_integer("a divisor"));
    if (number < 1 || number > kLargest)
      return cursor_.fail_at(divisor, "the divisor must be from 1 to 2^53");
    return is_div ? floor_div(value, number, {}) : floor_mod(value, number, {});
  }

  Result<IndexExpr> factor(int depth) {
    constexpr std::string_view kExpected = "a variable, an integer or \"(\"";
    if (cursor_.peek().kind == TokenKind::integer) {
      const Token number = cursor_.take();
      if (is_large(number.integer)) return too_large(number);
      return IndexExpr(number.integer);
    }
    if (cursor_.accept_symbol("(")) {
      IndexExpr value = TRY(expression(depth + 1));
      TRY(cursor_.expect_symbol(")"));
      return value;
    }
    if (cursor_.at_name("div") || cursor_.at_name("mod")) return cursor_.unexpected(kExpected);
    return IndexExpr::variable(TRY(cursor_.expect_name(kExpected)));
  }

  Cursor& cursor_;
  int divisions_ = 0;
};

}  // namespace

std::string print(const IndexExpr& e) {
  std::string text;
  for (const IndexTerm& term : e.terms()) {
    const int64_t size = std::abs(term.coefficient);
    if (text.empty())
      text = term.coefficient < 0 ? "-" : "";
    else
      text += term.coefficient < 0 ? " - " : " + ";
    if (size != 1) text += std::to_string(size) + "*";
    text += print_atom(term.atom);
  }
  if (text.empty()) return std::to_string(e.constant());
  if (e.constant() != 0)
    text += (e.constant() < 0 ? " - " : " + ") + std::to_string(std::abs(e.constant()));
  return text;
}

Result<IndexExpr> parse_index(Cursor& cursor) { return IndexParser(cursor).expression(0); }

Result<std::vector<IndexExpr>> parse_indices(Cursor& cursor) {
  TRY(cursor.expect_symbol("["));
  std::vector<IndexExpr> indices;
  if (cursor.accept_symbol("]")) return indices;
  do {
    indices.push_back(TRY(parse_index(cursor)));
  } while (TRY(cursor.takes_comma("]")));
  return indices;
}

Result<Bound> parse_bound(Cursor& cursor) {
  Bound bound;
  bound.lower = TRY(cursor.expect_integer("the lower bound"));
  TRY(cursor.expect_symbol("<="));
  bound.expr = TRY(parse_index(cursor));
  TRY(cursor.expect_symbol("<"));
  bound.upper = TRY(cursor.expect_integer("the upper bound"));
  return bound;
}

Result<IndexExpr> parse_index_expression(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "index expression"));
  IndexExpr e = TRY(parse_index(cursor));
  if (!cursor.at_end()) return cursor.unexpected("the end of the expression");
  return e;
}

std::string print_indices(const std::vector<IndexExpr>& indices) {
  std::string text = "[";
  for (size_t i = 0; i < indices.size(); ++i) text += (i == 0 ? "" : ", ") + print(indices[i]);
  return text + "]";
}

}  // namespace dovetail
