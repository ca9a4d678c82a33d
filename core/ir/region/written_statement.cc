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
                                  EpilogueKind::silu, EpilogueKind::sigmoid}) {
    if (print(Epilogue{kind}) == word) return kind;
  }
  return std::nullopt;
}

class StatementParser {
 public:
  StatementParser(Cursor& cursor, const Ranges& axes, const TypesOfTensors& types)
      : cursor_(cursor), ranges_(axes), types_(types, statement_.reads, statement_.element) {}

  Result<WrittenStatement> parse() {
    statement_.tensor = TRY(cursor_.expect_name("the tensor that is made"));
    TRY(output_axes());
    const Reducer assigned = TRY(parse_assignment(cursor_));
    Value whole = TRY(value(0));
    if (!cursor_.at_end()) return cursor_.unexpected("an operation or the end of the statement");
    const bool reduces = statement_.reducer != Reducer::none;
    if (assigned != Reducer::none && reduces)
      return fail("{}: reduces twice; expected one of sum, max, min and prod", statement_.tensor);
    (reduces ? statement_.result : statement_.element) = std::move(whole);
    if (!reduces) {
      statement_.reducer = assigned;
      statement_.mentioned = mentioned_;
    }
    return std::move(statement_);
  }

  Result<WrittenStatement> parse_tail() {
    is_tail_ = true;
    statement_.result = TRY(value(0));
    if (!cursor_.at_end()) return cursor_.unexpected("an operation or the end of the tail");
    if (statement_.reducer != Reducer::none || !statement_.chosen.empty())
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
    if (cursor_.at_symbol("[")) return add(TRY(read(name, depth)));
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

  Value add(WrittenRead read) {
    const auto known = std::ranges::find(statement_.reads, read);
    const auto position = static_cast<size_t>(known - statement_.reads.begin());
    if (known == statement_.reads.end()) statement_.reads.push_back(std::move(read));
    return read_of(position);
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

  // clamp(value, lo, hi): lo plus a ChosenIndex of extent hi - lo + 1.
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
    if (low != 0) at = types_.joined(BinaryOp::sub, std::move(at), static_cast<double>(low));
    if (types_.type_of(at) == ComputedType::real) at = cast(ComputedType::integer, std::move(at));
    ChosenIndex index{"", high - low + 1, std::move(at)};
    for (const ChosenIndex& known : statement_.chosen)
      if (known.extent == index.extent && known.value == index.value)
        return IndexExpr::variable(known.name) + IndexExpr(low);
    index.name = fmt::format("at{}", statement_.chosen.size());
    while (ranges_.contains(index.name)) index.name += "_";
    ranges_[index.name] = {0, index.extent - 1};
    statement_.chosen.push_back(index);
    return IndexExpr::variable(index.name) + IndexExpr(low);
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
      return reduced(*reducer, token, std::move(first));
    }
    if (const auto type = cast_named(name)) {
      const auto number = index_of(first);
      if (*type == ElementType::i64 && number && number->is_constant()) return IndexValue{*number};
      return cast(*type, std::move(first));
    }
    if (const auto kind = function_named(name))
      return apply_epilogues(types_.real(std::move(first)), {Epilogue{*kind}}, {});
    const auto op = unary_op_named(name);
    if (!op)
      return cursor_.fail_at(
          token, fmt::format("unknown function {}; expected exp, log, sqrt, rsqrt, tanh, erf, sin, "
                             "cos, atan, floor, abs, relu, relu6, sigmoid, silu, gelu, clip, "
                             "select, outside, a cast (real, integer, boolean, f16, i32, i16, i8, "
                             "u32, u16, u8), or one of sum, max, min and prod",
                             quoted(name)));
    const bool whole = *op == UnaryOp::abs && types_.type_of(first) == ComputedType::integer;
    return unary(*op, whole ? std::move(first) : types_.real(std::move(first)));
  }

  // quotient(a, b) divides integers, rounding towards zero; `/` divides real numbers.
  Result<Value> quotient(Value left, const Token& token, int depth) {
    Value right = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    types_.agree(left, right);
    Value whole = binary(BinaryOp::div, std::move(left), std::move(right));
    if (types_.type_of(whole) != ComputedType::integer)
      return cursor_.fail_at(token, "a quotient of real numbers; expected integers");
    return whole;
  }

  // Booleans are reduced as real numbers, which count exactly up to 2^24. The same reduction may be
  // repeated, because a result that reads it twice prints it twice.
  Result<Value> reduced(Reducer reducer, const Token& token, Value element) {
    const bool whole = types_.type_of(element) == ComputedType::integer;
    Value term = whole ? std::move(element) : types_.real(std::move(element));
    const bool is_first = statement_.reducer == Reducer::none;
    if (!is_first && !(statement_.reducer == reducer && statement_.element == term))
      return cursor_.fail_at(token, "a second reduction; expected one of sum, max, min and prod");
    statement_.reducer = reducer;
    statement_.element = std::move(term);
    return Value(Reduced{});
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
    return add(std::move(stated));
  }

  Result<Value> selection(int depth) {
    TRY(cursor_.expect_symbol("("));
    WrittenCondition condition = TRY(this->condition(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value then = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(","));
    Value otherwise = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    types_.agree(then, otherwise);
    if (condition.truth) then = choose(*condition.truth, std::move(then), otherwise);
    return select(std::move(condition.bounds), std::move(then), std::move(otherwise));
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
      add_truth(result, as_truth(std::move(left)));
      return {};
    }
    while (at_comparison()) {
      const BinaryOp op = take_comparison();
      Value right = TRY(value(depth));
      const auto a = index_of(left), b = index_of(right);
      if (a && b)
        result.bounds.push_back(bound_of(op, *a, *b, ranges_));
      else
        add_truth(result, types_.joined(op, left, right));
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
      add_truth(result, as_truth(std::move(left)));
      if (!cursor_.accept_symbol("&")) return *std::move(result.truth);
      left = TRY(value(depth + 1));
    }
  }

  Value as_truth(Value value) const {
    if (types_.type_of(value) == ComputedType::boolean) return value;
    return cast(ComputedType::boolean, std::move(value));
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
  Ranges ranges_;
  std::vector<std::string> mentioned_;  // axes, with repetitions
  WrittenStatement statement_;
  OperandTypes types_;
  bool is_tail_ = false;  // a tail may use `@`, the reduced value
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
