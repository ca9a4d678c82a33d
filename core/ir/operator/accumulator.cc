// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/accumulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace dovetail {
namespace {

constexpr double kGreatest = std::numeric_limits<int32_t>::max();

// A bound of an integer type's magnitudes; nullopt for i64, whose sums nothing bounds.
std::optional<double> magnitude_of(ElementType type) {
  if (type == ElementType::i64 || computed_type(type) == ComputedType::real) return std::nullopt;
  if (type == ElementType::boolean) return 1;
  const int64_t bits = 8 * bytes_of(type);
  return std::ldexp(1.0, static_cast<int>(is_signed(type) ? bits - 1 : bits));
}

// A bound of the magnitudes of an integer value; nullopt where none is known.
class Magnitude {
 public:
  explicit Magnitude(const Computation& c) : c_(c), ranges_(axis_ranges(c)) {}

  std::optional<double> of(const Value& value) const {
    if (const auto* number = value.as<Constant>()) return std::abs(number->value);
    if (const auto* read = value.as<ReadOf>()) return of_read(*read);
    if (const auto* index = value.as<IndexValue>()) {
      const Range range = range_of(index->index, ranges_);
      return static_cast<double>(std::max(std::abs(range.min), std::abs(range.max)));
    }
    if (const auto* binary = value.as<Binary>()) return of_binary(*binary);
    if (const auto* cast = value.as<Cast>()) {
      const std::optional<double> type = magnitude_of(cast->type);
      return type ? type : of(cast->operand);
    }
    return std::nullopt;
  }

 private:
  std::optional<double> of_read(const ReadOf& read) const {
    const Access& access = c_.reads[static_cast<size_t>(read.position)];
    if (find_table(c_, access.tensor) != nullptr) return std::nullopt;
    const std::optional<double> type = magnitude_of(tensor_named(c_, access.tensor).type);
    return type ? std::optional(std::max(*type, std::abs(access.outside))) : std::nullopt;
  }

  std::optional<double> of_binary(const Binary& binary) const {
    if (is_comparison(binary.op)) return 1;
    const std::optional<double> left = of(binary.left), right = of(binary.right);
    if (!left || !right) return std::nullopt;
    switch (binary.op) {
      case BinaryOp::add:
      case BinaryOp::sub: return *left + *right;
      case BinaryOp::mul: return *left * *right;
      case BinaryOp::min:
      case BinaryOp::max: return std::max(*left, *right);
      default: return std::nullopt;
    }
  }

  const Computation& c_;
  Ranges ranges_;
};

bool is_small_integer(ElementType type) {
  return computed_type(type) == ComputedType::integer && bytes_of(type) <= 4;
}

// Whether the result is the sum itself, stored to at most 32 bits: sums modulo 2^32 are enough.
bool keeps_low_bits(const Computation& c) {
  if (c.reducer != Reducer::sum) return false;
  const Value* result = &c.result;
  while (const auto* cast = result->as<Cast>()) {
    if (!is_small_integer(cast->type) && cast->type != ElementType::i64) return false;
    result = &cast->operand;
  }
  return result->as<Reduced>() != nullptr &&
         is_small_integer(tensor_named(c, c.output.tensor).type);
}

bool holds_every_sum(const Computation& c) {
  if (c.reducer != Reducer::sum) return false;
  std::optional<double> sum = Magnitude(c).of(c.element);
  for (const Axis& axis : c.axes)
    if (axis.reduction && sum) *sum *= static_cast<double>(axis.extent);
  return sum && *sum <= kGreatest;
}

}  // namespace

ElementType accumulator_type(const Computation& computation) {
  const ComputedType reduced = reduced_type(type_of(computation, computation.element));
  const bool is_narrow = reduced == ComputedType::integer &&
                         (keeps_low_bits(computation) || holds_every_sum(computation));
  return is_narrow ? ElementType::i32 : widest_type(reduced);
}

}  // namespace dovetail
