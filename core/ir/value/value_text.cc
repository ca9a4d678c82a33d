// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 10> kBinaryOps = {
    "+", "-", "*", "/", "min", "max", "pow", "less", "less_equal", "equal"};
constexpr std::array<std::string_view, 11> kUnaryOps = {
    "exp", "tanh", "erf", "log", "sqrt", "rsqrt", "floor", "abs", "sin", "cos", "atan"};
constexpr std::array<std::string_view, 3> kComputedTypes = {"real", "integer", "boolean"};

// Binding strength; a value that binds less tightly than its place requires gets parentheses.
enum Precedence { kSelect, kSum, kProduct, kAtom };

Precedence precedence(BinaryOp op) {
  if (op == BinaryOp::add || op == BinaryOp::sub) return kSum;
  return op == BinaryOp::mul || op == BinaryOp::div ? kProduct : kAtom;
}

std::string print_value(const Value& value, Precedence place);

std::string print_binary(const Binary& b, Precedence own) {
  const std::string_view word = name_of(b.op);
  if (own == kAtom) {
    return fmt::format("{}({}, {})", word, print_value(b.left, kSelect),
                       print_value(b.right, kSelect));
  }
  return fmt::format("{} {} {}", print_value(b.left, own), word,
                     print_value(b.right, static_cast<Precedence>(own + 1)));
}

std::string print_select(const Select& s) {
  return fmt::format("({}) ? {} : {}", print_bounds(s.bounds), print_value(s.then, kSum),
                     print_value(s.otherwise, kSelect));
}

std::string print_choose(const Choose& c) {
  return fmt::format("choose({}, {}, {})", print_value(c.condition, kSelect),
                     print_value(c.then, kSelect), print_value(c.otherwise, kSelect));
}

// The text of a leaf or of a node that prints as a call; empty for the others.
std::string print_atom(const Value& value) {
  if (const auto* constant = value.as<Constant>()) return fmt::format("{}", constant->value);
  if (const auto* load = value.as<Load>()) return load->buffer + print_indices(load->indices);
  if (const auto* read = value.as<ReadOf>()) return fmt::format("read({})", read->position);
  if (value.as<Reduced>() != nullptr) return "@";
  if (const auto* index = value.as<IndexValue>())
    return fmt::format("index({})", print(index->index));
  if (const auto* u = value.as<Unary>())
    return fmt::format("{}({})", name_of(u->op), print_value(u->operand, kSelect));
  if (const auto* c = value.as<Choose>()) return print_choose(*c);
  if (const auto* c = value.as<Cast>())
    return fmt::format("{}({})", cast_name(c->type), print_value(c->operand, kSelect));
  return "";
}

std::string print_value(const Value& value, Precedence place) {
  if (std::string atom = print_atom(value); !atom.empty()) return atom;
  const auto* b = value.as<Binary>();
  const Precedence own = b == nullptr ? kSelect : precedence(b->op);
  const std::string text = b == nullptr ? print_select(*value.as<Select>()) : print_binary(*b, own);
  return own < place ? "(" + text + ")" : text;
}

// A value and the height of its tree: long sums are deep trees although their text has no
// parentheses.
struct Tall {
  Value value;
  int height = 1;
};

class ValueParser {
 public:
  explicit ValueParser(Cursor& cursor) : cursor_(cursor) {}

  Result<Tall> value(int depth) {
    if (depth > kMaxNesting) return too_deep();
    if (at_bounds()) return selection(depth);
    return sum(depth);
  }

 private:
  Unexpected too_deep() const {
    return cursor_.unexpected(fmt::format("a value nested at most {} deep", kMaxNesting));
  }

  // `(` integer `<=`; a value in parentheses never starts like this.
  bool at_bounds() const {
    if (!cursor_.at_symbol("(")) return false;
    const size_t sign = cursor_.at_symbol("-", 1) ? 1 : 0;
    return cursor_.peek(1 + sign).kind == TokenKind::integer && cursor_.at_symbol("<=", 2 + sign);
  }

  Result<Tall> selection(int depth) {
    TRY(cursor_.expect_symbol("("));
    std::vector<Bound> bounds = TRY(parse_bounds(cursor_));
    TRY(cursor_.expect_symbol(")"));
    TRY(cursor_.expect_symbol("?"));
    Tall then = TRY(sum(depth + 1));
    TRY(cursor_.expect_symbol(":"));
    Tall otherwise = TRY(value(depth + 1));
    const int height = std::max(then.height, otherwise.height) + 1;
    return checked({select(std::move(bounds), then.value, otherwise.value), height});
  }

  Result<Tall> checked(Tall tall) const {
    if (tall.height > kMaxNesting) return too_deep();
    return tall;
  }

  Result<Tall> sum(int depth) { return chain("+", "-", &ValueParser::product, depth); }
  Result<Tall> product(int depth) { return chain("*", "/", &ValueParser::factor, depth); }

  Result<Tall> chain(std::string_view one, std::string_view other,
                     Result<Tall> (ValueParser::*operand)(int), int depth) {
    Tall left = TRY((this->*operand)(depth));
    while (cursor_.at_symbol(one) || cursor_.at_symbol(other)) {
      const BinaryOp op = *word_to<BinaryOp>(kBinaryOps, cursor_.take().text);
      const Tall right = TRY((this->*operand)(depth));
      left = TRY(
          checked({binary(op, left.value, right.value), std::max(left.height, right.height) + 1}));
    }
    return left;
  }

  Result<Tall> factor(int depth) {
    if (depth > kMaxNesting) return too_deep();
    if (cursor_.at_symbol("-") || cursor_.peek().kind == TokenKind::integer ||
        cursor_.peek().kind == TokenKind::real || cursor_.at_name("inf") || cursor_.at_name("nan"))
      return constant();
    if (cursor_.accept_symbol("(")) {
      Tall inner = TRY(value(depth + 1));
      TRY(cursor_.expect_symbol(")"));
      return inner;
    }
    if (cursor_.accept_symbol("@")) return Tall{Value(Reduced{})};
    const std::string name = TRY(cursor_.expect_name("a value"));
    if (cursor_.at_symbol("(")) return call(name, depth);
    return Tall{Value(Load{name, TRY(parse_indices(cursor_))})};
  }

  Result<Tall> constant() {
    const double sign = cursor_.accept_symbol("-") ? -1 : 1;
    if (cursor_.accept_name("inf"))
      return Tall{Value(sign * std::numeric_limits<double>::infinity())};
    if (cursor_.accept_name("nan")) return Tall{Value(sign * std::nan(""))};
    const TokenKind kind = cursor_.peek().kind;
    if (kind != TokenKind::integer && kind != TokenKind::real)
      return cursor_.unexpected("a number");
    return Tall{Value(sign * cursor_.take().number)};
  }

  Result<Tall> call(const std::string& name, int depth) {
    if (name == "read" || name == "index") return leaf(name);
    const auto two = binary_op_named(name);
    const auto one = unary_op_named(name);
    const auto type = cast_named(name);
    const bool three = name == "choose";
    if (!two && !one && !type && !three)
      return cursor_.unexpected(fmt::format(
          "\"[\" after {}; the functions are min, max, pow, less, less_equal, equal, exp, tanh, "
          "erf, log, sqrt, rsqrt, floor, abs, sin, cos, atan, choose, and the casts real, integer, "
          "boolean, f16, i32, i16, i8, u32, u16 and u8",
          quoted(name)));
    const std::vector<Tall> operands = TRY(arguments(three ? 3 : two ? 2 : 1, depth));
    int height = 0;
    for (const Tall& operand : operands) height = std::max(height, operand.height);
    Value value = three ? choose(operands[0].value, operands[1].value, operands[2].value)
                  : two ? binary(*two, operands[0].value, operands[1].value)
                  : one ? unary(*one, operands[0].value)
                        : cast(*type, operands[0].value);
    return checked({std::move(value), height + 1});
  }

  Result<std::vector<Tall>> arguments(size_t count, int depth) {
    std::vector<Tall> operands;
    TRY(cursor_.expect_symbol("("));
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) TRY(cursor_.expect_symbol(","));
      operands.push_back(TRY(value(depth + 1)));
    }
    TRY(cursor_.expect_symbol(")"));
    return operands;
  }

  Result<Tall> leaf(const std::string& name) {
    TRY(cursor_.expect_symbol("("));
    Value value;
    if (name == "index")
      value = IndexValue{TRY(parse_index(cursor_))};
    else
      value = ReadOf{static_cast<int>(TRY(cursor_.expect_integer("the position of a read")))};
    TRY(cursor_.expect_symbol(")"));
    return Tall{std::move(value)};
  }

  Cursor& cursor_;
};

}  // namespace

std::string_view name_of(BinaryOp op) { return kBinaryOps[static_cast<size_t>(op)]; }
std::string_view name_of(UnaryOp op) { return kUnaryOps[static_cast<size_t>(op)]; }

std::optional<BinaryOp> binary_op_named(std::string_view name) {
  return name.size() > 1 ? word_to<BinaryOp>(kBinaryOps, name) : std::nullopt;
}
std::optional<UnaryOp> unary_op_named(std::string_view name) {
  return word_to<UnaryOp>(kUnaryOps, name);
}

std::string_view cast_name(ElementType type) {
  const ComputedType computed = computed_type(type);
  return type == widest_type(computed) ? kComputedTypes[static_cast<size_t>(computed)]
                                       : name_of(type);
}

std::optional<ElementType> cast_named(std::string_view name) {
  if (const auto computed = word_to<ComputedType>(kComputedTypes, name))
    return widest_type(*computed);
  constexpr std::array kNarrower = {
      ElementType::f16, ElementType::bf16, ElementType::tf32, ElementType::tf32x2, ElementType::i32,
      ElementType::i16, ElementType::i8,   ElementType::u32,  ElementType::u16,    ElementType::u8};
  const auto* const found =
      std::ranges::find_if(kNarrower, [&](ElementType type) { return name_of(type) == name; });
  return found == kNarrower.end() ? std::nullopt : std::optional(*found);
}

std::string print(const Value& value) { return print_value(value, kSelect); }

std::string print_bounds(const std::vector<Bound>& bounds) {
  std::string text;
  for (const Bound& bound : bounds) {
    text += fmt::format("{}{} <= {} < {}", text.empty() ? "" : " and ", bound.lower,
                        print(bound.expr), bound.upper);
  }
  return text;
}

Result<std::vector<Bound>> parse_bounds(Cursor& cursor) {
  std::vector<Bound> bounds;
  do {
    bounds.push_back(TRY(parse_bound(cursor)));
  } while (cursor.accept_name("and"));
  return bounds;
}

Result<Reducer> parse_assignment(Cursor& cursor) {
  if (cursor.accept_symbol("=")) return Reducer::none;
  if (cursor.accept_symbol("+=")) return Reducer::sum;
  if (cursor.accept_symbol("*=")) return Reducer::prod;
  const auto reducer = word_to<Reducer>(kReducerNames, cursor.peek().text);
  if (!reducer || reducer == Reducer::none || !cursor.at_symbol("=", 1))
    return cursor.unexpected("\"=\", \"+=\", \"*=\", \"max=\" or \"min=\"");
  cursor.take();
  cursor.take();
  return *reducer;
}

Result<Value> parse_value(Cursor& cursor) {
  Tall tall = TRY(ValueParser(cursor).value(0));
  return std::move(tall.value);
}

}  // namespace dovetail
