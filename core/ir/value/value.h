// SPDX-License-Identifier: Apache-2.0
//
// Value: the expression of one element, an immutable tree over loads, numbers and indices. It is
// used in computations (core/ir/operator/computation.h), where its leaves are reads of tensors, and
// in programs (core/ir/program/program.h), where they are elements of buffers:
//
//     max(@ + read(2), 0)                             the result of a convolution, bias and relu
//     max(acc[w, o] + bias[4*o.0 + o], 0)             the same in a program
//
// Values are real numbers, integers or booleans (ComputedType): a load of i32 is an integer, a
// comparison is a boolean, `cast` converts. Operands of one operation have one type. Integers are
// computed in 64 bits and wrap; a cast, `u8(x)`, or a store to a narrower type narrows them.
//
// Why one tree and not two: lowering then only replaces leaves, and the code that prints, compares
// or bounds values is the same for both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/index/index_expression.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

// For booleans `and` is min and `or` is max. Integer division rounds towards zero.
enum class BinaryOp : uint8_t { add, sub, mul, div, min, max, pow, less, less_equal, equal };
enum class UnaryOp : uint8_t { exp, tanh, erf, log, sqrt, rsqrt, floor, abs, sin, cos, atan };

// Reductions of several values to one; `none` stores the value itself. max and min may ignore a
// NaN, as fmax does, or return it.
enum class Reducer : uint8_t { none, sum, max, min, prod };

struct Constant {
  double value = 0;  // printed inf and -inf, too
  friend bool operator==(const Constant&, const Constant&) = default;
};
// An element of a buffer or of a tile, `X.pad[i.0, 0, h + kh, w]`; in programs only.
struct Load {
  std::string buffer;
  std::vector<IndexExpr> indices;
  friend bool operator==(const Load&, const Load&) = default;
};
// An access of the computation, by its position; in computations only.
struct ReadOf {
  int position = 0;
  friend bool operator==(const ReadOf&, const ReadOf&) = default;
};
// The reduced value (sum, maximum, …), printed as `@`; in results of computations only.
struct Reduced {
  friend bool operator==(const Reduced&, const Reduced&) = default;
};
// An index as an integer: the j of an argmax, a weight of an interpolation, a count of taps.
struct IndexValue {
  IndexExpr index;
  friend bool operator==(const IndexValue&, const IndexValue&) = default;
};
struct Binary;
struct Unary;
struct Select;
struct Choose;
struct Cast;

class Value {
 public:
  using Node =
      std::variant<Constant, Load, ReadOf, Reduced, IndexValue, std::shared_ptr<const Binary>,
                   std::shared_ptr<const Unary>, std::shared_ptr<const Select>,
                   std::shared_ptr<const Choose>, std::shared_ptr<const Cast>>;
  Value() : node_(Constant{}) {}
  Value(double constant) : node_(Constant{constant}) {}  // NOLINT: numbers are values
  Value(Load load) : node_(std::move(load)) {}           // NOLINT
  Value(ReadOf read) : node_(read) {}                    // NOLINT
  Value(Reduced reduced) : node_(reduced) {}             // NOLINT
  Value(IndexValue index) : node_(std::move(index)) {}   // NOLINT
  Value(Node node) : node_(std::move(node)) {}           // NOLINT
  const Node& node() const { return node_; }

  // The node when it is one of this kind, else null: `value.as<Binary>()`.
  template <typename Kind>
  const Kind* as() const {
    if constexpr (std::is_constructible_v<Value, Kind>) {  // a leaf
      return std::get_if<Kind>(&node_);
    } else {
      const auto* held = std::get_if<std::shared_ptr<const Kind>>(&node_);
      return held == nullptr ? nullptr : held->get();
    }
  }

  friend bool operator==(const Value& a, const Value& b);  // structural

 private:
  Node node_;
};

struct Binary {
  BinaryOp op;
  Value left, right;
  friend bool operator==(const Binary&, const Binary&) = default;
};
struct Unary {
  UnaryOp op;
  Value operand;
  friend bool operator==(const Unary&, const Unary&) = default;
};
// `(0 <= h - 1 < 56) ? then : otherwise`, by indices: `then` is not evaluated where a bound fails.
struct Select {
  std::vector<Bound> bounds;
  Value then, otherwise;
  friend bool operator==(const Select&, const Select&) = default;
};
// `choose(condition, then, otherwise)`, by data: both are evaluated.
struct Choose {
  Value condition, then, otherwise;
  friend bool operator==(const Choose&, const Choose&) = default;
};
// `real(x)` (f32), `integer(x)` (i64) rounds towards zero, `boolean(x)` is x != 0; a cast to a
// narrower type, `u8(x)` or `f16(x)`, wraps or rounds as storage of that type does.
struct Cast {
  ElementType type = ElementType::f32;
  Value operand;
  friend bool operator==(const Cast&, const Cast&) = default;
};

Value binary(BinaryOp op, Value left, Value right);
Value unary(UnaryOp op, Value operand);
Value select(std::vector<Bound> bounds, Value then, Value otherwise);  // no bounds: just `then`
Value choose(Value condition, Value then, Value otherwise);
Value cast(ElementType type, Value operand);
// real(x), integer(x) or boolean(x).
inline Value cast(ComputedType type, Value operand) {
  return cast(widest_type(type), std::move(operand));
}
// The value as storage of this type holds it: unchanged if the type holds all values of its kind.
Value as_stored(ElementType type, Value value);
inline Value read_of(size_t position) { return ReadOf{static_cast<int>(position)}; }
inline Value reduced() { return Reduced{}; }

bool is_comparison(BinaryOp op);
// The type that a node computes in; `type_of_leaf` returns that of loads, reads and `@`.
template <typename TypeOfLeaf>
ComputedType type_of(const Value& value, const TypeOfLeaf& type_of_leaf);

// A reduction begins with its neutral value: 0 (sum), -inf (max), inf (min), 1 (prod).
double neutral(Reducer reducer);
// The same for a stored type: an integer type's limits replace -inf and inf, but not those of i64,
// whose greatest is not a double: there ±inf remain, and saturate like any number beyond a limit.
double neutral(Reducer reducer, ElementType type);
// The type in which elements are reduced: integers as integers, all others as real numbers.
ComputedType reduced_type(ComputedType element);
// The operation that combines two values of a reduction.
BinaryOp operation_of(Reducer reducer);

std::string print(const Value& value);

template <typename TypeOfLeaf>
ComputedType type_of(const Value& value, const TypeOfLeaf& type_of_leaf) {
  if (value.as<Constant>() != nullptr) return ComputedType::real;
  if (value.as<IndexValue>() != nullptr) return ComputedType::integer;
  // A constant has the type of the other operand.
  const auto common = [&](const Value& a, const Value& b) {
    return type_of(a.as<Constant>() == nullptr ? a : b, type_of_leaf);
  };
  if (const auto* b = value.as<Binary>())
    return is_comparison(b->op) ? ComputedType::boolean : common(b->left, b->right);
  if (const auto* u = value.as<Unary>()) return type_of(u->operand, type_of_leaf);
  if (const auto* s = value.as<Select>()) return common(s->then, s->otherwise);
  if (const auto* c = value.as<Choose>()) return common(c->then, c->otherwise);
  if (const auto* c = value.as<Cast>()) return computed_type(c->type);
  return type_of_leaf(value);
}

}  // namespace dovetail
