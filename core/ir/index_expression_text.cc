// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <cstdlib>
#include <limits>

#include "core/base/check.h"
#include "core/ir/index_expression.h"

namespace dovetail {
namespace {

constexpr int kMaxNesting = 64;  // deeper text is refused instead of exhausting the stack

std::string print_atom(const IndexAtom& atom) {
  if (atom.kind == IndexAtom::Kind::variable) return atom.variable;
  const IndexExpr& inner = *atom.inner;
  const bool bare =
      inner.constant() == 0 && inner.terms().size() == 1 && inner.terms()[0].coefficient == 1;
  const std::string text = bare ? print(inner) : "(" + print(inner) + ")";
  return "(" + text + (atom.kind == IndexAtom::Kind::div ? " div " : " mod ") +
         std::to_string(atom.divisor) + ")";
}

// expression := ['-'] product (('+'|'-') product)*      product := [number '*'] atom | number
// atom := name | '(' expression [('div'|'mod') number] ')'
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<IndexExpr> whole() {
    IndexExpr e = TRY(expression(0));
    if (skip_spaces() < text_.size()) return unexpected("the end of the expression");
    return e;
  }

 private:
  size_t skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_;
  }
  bool take(char c) {
    if (skip_spaces() >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool next_is_digit() {
    return skip_spaces() < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]));
  }
  Unexpected unexpected(const std::string& expected) {
    const std::string found =
        at_ < text_.size() ? "'" + std::string(text_.substr(at_, 12)) + "'" : "the end";
    return fail("index expression '" + std::string(text_.substr(0, 80)) + "', column " +
                std::to_string(at_ + 1) + ": found " + found + ", expected " + expected);
  }
  std::string name() {
    skip_spaces();
    const size_t start = at_;
    if (at_ < text_.size() &&
        (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                    text_[at_] == '_' || text_[at_] == '.')) {
        ++at_;
      }
    }
    return std::string(text_.substr(start, at_ - start));
  }
  Result<int64_t> number() {
    if (!next_is_digit()) return unexpected("a number");
    int64_t value = 0;
    const size_t start = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (value > std::numeric_limits<int64_t>::max() / 100) {
        at_ = start;
        return unexpected("a number below 10^16");
      }
      value = value * 10 + (text_[at_] - '0');
    }
    return value;
  }

  Result<IndexExpr> expression(int depth) {
    if (depth > kMaxNesting) return unexpected("at most 64 nested parentheses");
    const bool negative = take('-');
    IndexExpr total = TRY(product(depth));
    if (negative) total = total * -1;
    while (true) {
      if (take('+')) {
        total = total + TRY(product(depth));
      } else if (take('-')) {
        total = total - TRY(product(depth));
      } else {
        return total;
      }
    }
  }
  Result<IndexExpr> product(int depth) {
    if (!next_is_digit()) return atom(depth);
    const int64_t factor = TRY(number());
    if (!take('*')) return IndexExpr(factor);
    const IndexExpr value = TRY(atom(depth));
    return value * factor;
  }
  Result<IndexExpr> atom(int depth) {
    if (!take('(')) {
      std::string variable = name();
      if (variable.empty()) return unexpected("a name, a number or '('");
      return IndexExpr::variable(std::move(variable));
    }
    IndexExpr inner = TRY(expression(depth + 1));
    if (take(')')) return inner;
    const std::string word = name();
    if (word != "div" && word != "mod") return unexpected("'div', 'mod' or ')'");
    const int64_t divisor = TRY(number());
    if (divisor < 1) return unexpected("a divisor of at least 1");
    if (!take(')')) return unexpected("')'");
    return word == "div" ? floor_div(inner, divisor, {}) : floor_mod(inner, divisor, {});
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string print(const IndexExpr& e) {
  std::string text;
  for (const IndexTerm& term : e.terms()) {
    const int64_t size = std::abs(term.coefficient);
    if (text.empty()) {
      text = term.coefficient < 0 ? "-" : "";
    } else {
      text += term.coefficient < 0 ? " - " : " + ";
    }
    if (size != 1) text += std::to_string(size) + "*";
    text += print_atom(term.atom);
  }
  if (text.empty()) return std::to_string(e.constant());
  if (e.constant() != 0)
    text += (e.constant() < 0 ? " - " : " + ") + std::to_string(std::abs(e.constant()));
  return text;
}

Result<IndexExpr> parse_index_expression(std::string_view text) { return Reader(text).whole(); }

}  // namespace dovetail
