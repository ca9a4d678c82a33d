// SPDX-License-Identifier: Apache-2.0
//
// value   := sum                             sum     := product (('+' | '-') product)*
// product := unary (('*' | '/' | '%' | 'div' | 'mod') unary)*     unary := ['-'] atom
// atom    := number | 'inf' | axis | T '[' index, … ']' | word '(' value, … ')' | '(' value ')'
// A condition, the first operand of select, is  value (('<' | '<=' | '=') value)+ ('&' …)*
#include "core/ir/region/written_statement.h"

#include <algorithm>
#include <limits>

#include "core/base/fail.h"
#include "core/ir/lexer.h"
#include "core/ir/operator/computation.h"
#include "core/ir/region/statement_terms.h"
#include "core/ir/region/written_operands.h"
#include "core/ir/value/value_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<Reducer> reducer_named(std::string_view word) {
  const auto reducer = word_to<Reducer>(kReducerNames, word);
  return reducer == Reducer::none ? std::nullopt : reducer;
}

std::optional<EpilogueKind> function_named(std::string_view word) {
  for (const EpilogueKind kind : {EpilogueKind::relu, EpilogueKind::relu6, EpilogueKind::gelu,
                                  EpilogueKind::silu, EpilogueKind::sigmoid})
    if (print(Epilogue{kind}) == word) return kind;
  return std::nullopt;
}

class StatementParser {
 public:
  StatementParser(Cursor& cursor, const Ranges& axes, const TypesOfTensors& types)
      : cursor_(cursor), terms_(axes, types) {}

  Result<WrittenStatement> parse() {
    statement_.tensor = TRY(cursor_.expect_name("the tensor that is made"));
    TRY(output_axes());
    const Reducer assigned = TRY(parse_assignment(cursor_));
    Value whole = TRY(value(0));
    if (!cursor_.at_end()) return cursor_.unexpected("an operation or the end of the statement");
    const bool reduces = statement_.reducer != Reducer::none;
    if (assigned != Reducer::none && reduces)
      return fail("{}: reduces twice; expected one of sum, max, min and prod", statement_.tensor);
    WrittenStatement written = std::move(terms_).finished(std::move(whole));
    if (!reduces) {
      written.reducer = assigned;
      written.mentioned = mentioned_;
    }
    return written;
  }

  Result<WrittenStatement> parse_tail() {
    is_tail_ = true;
    statement_.result = TRY(value(0));
    if (!cursor_.at_end()) return cursor_.unexpected("an operation or the end of the tail");
    if (statement_.reducer != Reducer::none || !statement_.gathers.empty())
      return fail("tail: reduces, or data choose an index; expected a value of each element");
    return std::move(statement_);
  }

 private:
  Unexpected too_deep() const {
    return cursor_.unexpected(fmt::format("a value nested at most {} deep", kMaxNesting));
  }

  Result<void> output_axes() {
    TRY(cursor_.expect_symbol("["));
    while (!cursor_.accept_symbol("]")) {
      if (!statement_.axes.empty()) TRY(cursor_.expect_symbol(","));
      const Token token = cursor_.peek();
      const std::string name = TRY(cursor_.expect_name("an axis alone"));
      if (!ranges_.contains(name))
        return cursor_.fail_at(token, fmt::format("axis {0} has no extent; expected {0}=…", name));
      if (std::ranges::find(statement_.axes, name) != statement_.axes.end())
        return cursor_.fail_at(token, fmt::format("axis {} is in two indices of {}; expected one",
                                                  name, statement_.tensor));
      statement_.axes.push_back(name);
    }
    return {};
  }

  Result<Value> value(int depth) {
    if (depth > kMaxNesting) return too_deep();
    Value left = TRY(product(depth));
    while (cursor_.at_symbol("+") || cursor_.at_symbol("-")) {
      const BinaryOp op = cursor_.take().text == "+" ? BinaryOp::add : BinaryOp::sub;
      left = types_.joined(op, std::move(left), TRY(product(depth)));
    }
    return left;
  }

  Result<Value> product(int depth) {
    Value left = TRY(unary_value(depth));
    while (true) {
      const bool divides = cursor_.accept_symbol("/"), whole = cursor_.accept_name("div"),
                 rest = cursor_.accept_symbol("%") || cursor_.accept_name("mod");
      if (!divides && !whole && !rest && !cursor_.accept_symbol("*")) return left;
      Value right = TRY(unary_value(depth));
      if (whole || rest) {
        left = TRY(divided(left, right, whole));
      } else {
        left = types_.joined(divides ? BinaryOp::div : BinaryOp::mul, std::move(left),
                             std::move(right));
      }
    }
  }

  // Divides an index by a positive integer, rounding down, or takes the remainder.
  Result<Value> divided(const Value& left, const Value& right, bool whole) const {
    const auto e = index_of(left), divisor = index_of(right);
    if (!e || !divisor || !divisor->is_constant() || divisor->constant() < 1)
      return cursor_.unexpected("div and mod of an index by a whole number");
    const int64_t d = divisor->constant();
    return Value(IndexValue{whole ? floor_div(*e, d, ranges_) : floor_mod(*e, d, ranges_)});
  }

  Result<Value> unary_value(int depth) {
    if (!cursor_.accept_symbol("-")) return atom(depth);
    Value operand = TRY(unary_value(depth + 1));
    if (const auto* constant = operand.as<Constant>()) return Value(-constant->value);
    return types_.joined(BinaryOp::sub, 0.0, std::move(operand));
  }

  Result<Value> atom(int depth) {
    if (depth > kMaxNesting) return too_deep();
    const Token token = cursor_.peek();
    if (token.kind == TokenKind::integer || token.kind == TokenKind::real)
      return Value(cursor_.take().number);
    if (cursor_.accept_name("inf")) return Value(kInfinity);
    if (is_tail_ && cursor_.accept_symbol("@")) return Value(Reduced{});
    if (cursor_.accept_symbol("(")) {
      Value inner = TRY(value(depth + 1));
      if (at_comparison() || cursor_.at_symbol("&")) inner = TRY(truth(std::move(inner), depth));
      TRY(cursor_.expect_symbol(")"));
      return inner;
    }
    const std::string name = TRY(cursor_.expect_name("a value"));
    if (cursor_.at_symbol("(")) return call(name, token, depth);
    if (cursor_.at_symbol("[")) return terms_.read(TRY(read(name, depth)));
    if (!ranges_.contains(name))
      return cursor_.fail_at(token, fmt::format("axis {0} has no extent; expected {0}=…", name));
    mentioned_.push_back(name);
    return Value(IndexValue{IndexExpr::variable(name)});
  }

  Result<WrittenRead> read(const std::string& tensor, int depth) {
    WrittenRead written{tensor, {}, std::nullopt};
    TRY(cursor_.expect_symbol("["));
    while (!cursor_.accept_symbol("]")) {
      if (!written.indices.empty()) TRY(cursor_.expect_symbol(","));
      written.indices.push_back(TRY(index(depth + 1)));
    }
    return written;
  }

  // An index depends on axes only, except for clamp(…), which data choose. In an index, `/` rounds
  // down.
  Result<IndexExpr> index(int depth) {
    if (depth > kMaxNesting) return too_deep();
    IndexExpr left = TRY(index_product(depth));
    while (cursor_.at_symbol("+") || cursor_.at_symbol("-")) {
      const bool adds = cursor_.take().text == "+";
      const IndexExpr right = TRY(index_product(depth));
      left = adds ? left + right : left - right;
    }
    return left;
  }

  Result<IndexExpr> index_product(int depth) {
    IndexExpr left = TRY(index_atom(depth));
    while (true) {
      const bool whole = cursor_.accept_symbol("/") || cursor_.accept_name("div");
      const bool rest = !whole && (cursor_.accept_symbol("%") || cursor_.accept_name("mod"));
      if (!whole && !rest && !cursor_.accept_symbol("*")) return left;
      const Token token = cursor_.peek();
      const IndexExpr right = TRY(index_atom(depth));
      if (!whole && !rest) {
        if (!left.is_constant() && !right.is_constant())
          return cursor_.fail_at(token, "an index multiplies two axes; expected a number");
        left = left.is_constant() ? right * left.constant() : left * right.constant();
        continue;
      }
      if (!right.is_constant() || right.constant() < 1)
        return cursor_.fail_at(token, "an index is divided by something else than a whole number");
      left = whole ? floor_div(left, right.constant(), ranges_)
                   : floor_mod(left, right.constant(), ranges_);
    }
  }

  Result<IndexExpr> index_atom(int depth) {
    if (depth > kMaxNesting) return too_deep();
    if (cursor_.accept_symbol("-")) return TRY(index_atom(depth + 1)) * -1;
    if (cursor_.peek().kind == TokenKind::integer) return IndexExpr(cursor_.take().integer);
    if (cursor_.accept_symbol("(")) {
      IndexExpr inner = TRY(index(depth + 1));
      TRY(cursor_.expect_symbol(")"));
      return inner;
    }
    const Token token = cursor_.peek();
    const std::string name = TRY(cursor_.expect_name("an axis or a number"));
    if (name == "clamp" && cursor_.at_symbol("(")) return chosen(depth);
    if (!ranges_.contains(name))
      return cursor_.fail_at(token, fmt::format("axis {0} has no extent; expected {0}=…", name));
    mentioned_.push_back(name);
    return IndexExpr::variable(name);
  }

  // clamp(value, lo, hi): lo plus a GatherIndex of extent hi - lo + 1.
  Result<IndexExpr> chosen(int depth) {
    TRY(cursor_.expect_symbol("("));
    Value at = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(","));
    const int64_t low = TRY(cursor_.expect_integer("the least index"));
    TRY(cursor_.expect_symbol(","));
    const Token token = cursor_.peek();
    const int64_t high = TRY(cursor_.expect_integer("the largest index"));
    TRY(cursor_.expect_symbol(")"));
    if (high < low || high - low > kMaxSpecNumber)
      return cursor_.fail_at(token,
                             fmt::format("clamp from {} to {}; expected a range", low, high));
    return terms_.gather(std::move(at), low, high - low + 1);
  }

  Result<Value> call(const std::string& name, const Token& token, int depth) {
    if (name == "select") return selection(depth);
    if (name == "outside") return outside(depth);
    if (name == "clip") return clip(depth);
    TRY(cursor_.expect_symbol("("));
    const size_t outside = mentioned_.size();
    Value first = TRY(value(depth + 1));
    if (cursor_.accept_symbol(",")) {
      if (name == "quotient") return quotient(std::move(first), token, depth);
      const auto op = binary_op_named(name);
      if (!op || is_comparison(*op))
        return cursor_.fail_at(token, fmt::format("{} has two operands; expected min, max, pow or "
                                                  "quotient of two",
                                                  quoted(name)));
      Value second = TRY(value(depth + 1));
      TRY(cursor_.expect_symbol(")"));
      return types_.joined(*op, std::move(first), std::move(second));
    }
    TRY(cursor_.expect_symbol(")"));
    if (const auto reducer = reducer_named(name)) {
      statement_.mentioned.assign(mentioned_.begin() + static_cast<ptrdiff_t>(outside),
                                  mentioned_.end());
      if (auto reduced = terms_.reduced(*reducer, std::move(first))) return *std::move(reduced);
      return cursor_.fail_at(token, "a second reduction; expected one of sum, max, min and prod");
    }
    if (const auto type = cast_named(name)) return terms_.casted(*type, std::move(first));
    if (const auto kind = function_named(name))
      return apply_epilogues(types_.real(std::move(first)), {Epilogue{*kind}}, {});
    const auto op = unary_op_named(name);
    if (!op)
      return cursor_.fail_at(
          token,
          fmt::format("unknown function {}; expected exp, log, sqrt, rsqrt, tanh, erf, sin, "
                      "cos, atan, floor, abs, relu, relu6, sigmoid, silu, gelu, clip, pow, "
                      "quotient, select, outside, a cast (real, integer, boolean, f16, bf16, "
                      "tf32, tf32x2, i32, i16, i8, u32, u16, u8), or one of sum, max, min and prod",
                      quoted(name)));
    return terms_.called(*op, std::move(first));
  }

  Result<Value> quotient(Value left, const Token& token, int depth) {
    Value right = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    Value whole = terms_.quotient(std::move(left), std::move(right));
    if (types_.type_of(whole) != ComputedType::integer)
      return cursor_.fail_at(token, "a quotient of real numbers; expected integers");
    return whole;
  }

  Result<Value> clip(int depth) {
    TRY(cursor_.expect_symbol("("));
    Value x = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value low = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value high = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    return types_.joined(BinaryOp::min, types_.joined(BinaryOp::max, std::move(x), std::move(low)),
                         std::move(high));
  }

  Result<Value> outside(int depth) {
    TRY(cursor_.expect_symbol("("));
    const std::string tensor = TRY(cursor_.expect_name("a tensor"));
    const Token token = cursor_.peek();
    WrittenRead stated = TRY(read(tensor, depth));
    TRY(cursor_.expect_symbol(","));
    const Value value = TRY(unary_value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    const auto* constant = value.as<Constant>();
    if (constant == nullptr)
      return cursor_.fail_at(token, "what an element beyond a tensor is; expected a number");
    stated.outside = constant->value;
    return terms_.read(std::move(stated));
  }

  Result<Value> selection(int depth) {
    TRY(cursor_.expect_symbol("("));
    WrittenCondition condition = TRY(this->condition(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value then = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value otherwise = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    return terms_.selected(std::move(condition), std::move(then), std::move(otherwise));
  }

  Result<WrittenCondition> condition(int depth) {
    WrittenCondition result;
    do {
      TRY(comparison(depth, result));
    } while (cursor_.accept_symbol("&"));
    return result;
  }

  Result<void> comparison(int depth, WrittenCondition& result) {
    Value left = TRY(value(depth));
    if (!at_comparison()) {
      add_truth(result, terms_.as_truth(std::move(left)));
      return {};
    }
    while (at_comparison()) {
      const BinaryOp op = take_comparison();
      Value right = TRY(value(depth));
      terms_.compare(result, op, left, right);
      left = std::move(right);
    }
    join_neighbours(result.bounds);
    return {};
  }

  // A condition in parentheses whose first value is parsed; all of it becomes one boolean value.
  Result<Value> truth(Value left, int depth) {
    WrittenCondition result;
    while (true) {
      if (at_comparison()) {
        const BinaryOp op = take_comparison();
        left = types_.joined(op, left, TRY(value(depth + 1)));
      }
      add_truth(result, terms_.as_truth(std::move(left)));
      if (!cursor_.accept_symbol("&")) return *std::move(result.truth);
      left = TRY(value(depth + 1));
    }
  }

  bool at_comparison() const {
    return cursor_.at_symbol("<") || cursor_.at_symbol("<=") || cursor_.at_symbol("=");
  }

  BinaryOp take_comparison() {
    const std::string_view symbol = cursor_.take().text;
    if (symbol == "<") return BinaryOp::less;
    if (symbol == "<=") return BinaryOp::less_equal;
    static_cast<void>(cursor_.accept_symbol("="));
    return BinaryOp::equal;
  }

  Cursor& cursor_;
  StatementTerms terms_;
  WrittenStatement& statement_ = terms_.statement();
  const Ranges& ranges_ = terms_.ranges();
  const OperandTypes& types_ = terms_.types();
  std::vector<std::string> mentioned_;  // axes, with repetitions
  bool is_tail_ = false;                // a tail may use `@`, the reduced value
};

}  // namespace

double usual_outside(Reducer reducer, bool in_element) {
  const bool extremum = reducer == Reducer::max || reducer == Reducer::min;
  return in_element && extremum ? neutral(reducer) : 0;
}

Result<WrittenStatement> parse_statement(std::string_view text, const Ranges& axes,
                                         const TypesOfTensors& types) {
  Cursor cursor = TRY(Cursor::over(text, "statement"));
  return StatementParser(cursor, axes, types).parse();
}

Result<WrittenStatement> parse_written_tail(std::string_view text, const Ranges& axes,
                                            const TypesOfTensors& types) {
  Cursor cursor = TRY(Cursor::over(text, "tail"));
  return StatementParser(cursor, axes, types).parse_tail();
}

}  // namespace dovetail
