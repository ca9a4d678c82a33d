// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/element_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dovetail {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

bool is_real(ComputedType type) { return type == ComputedType::real; }

bool holds(const std::vector<IndexLimits>& bounds, const ElementPoint& at) {
  return std::ranges::all_of(bounds, [&](const auto& bound) { return bound.holds(at.variables); });
}

BoundedValue number(double value, ComputedType type) {
  if (!is_real(type)) return {.whole = whole_number(value)};
  const double rounded = static_cast<float>(value);
  const bool overflows = !std::isfinite(rounded);
  return {.real = {overflows ? rounded : value, overflows ? 0 : std::abs(rounded - value)}};
}

// The element of a tensor at this position.
BoundedValue element_at(const ArrayView& values, const std::vector<double>* errors,
                        ComputedType type, size_t flat) {
  const double error = errors == nullptr ? 0 : (*errors)[flat];
  if (!is_real(type)) return {.whole = {values.integer(flat), error}};
  const double value = values.real(flat);
  // Code reads a double as f32.
  const bool is_wide = errors == nullptr && values.type() == ElementType::f64;
  const double narrowed = is_wide ? std::abs(static_cast<float>(value) - value) : 0;
  return {.real = {value, std::isfinite(narrowed) ? error + narrowed : error}};
}

BoundedNumber as_real(const BoundedValue& one, ComputedType type) {
  if (is_real(type)) return one.real;
  return {static_cast<double>(one.whole.value),
          one.whole.is_infinite ? kUnbounded : one.whole.error};
}

std::optional<AffineIndex> affine(const SlotIndex& index, size_t num_variables) {
  if (!index.divisions.empty()) return {};
  AffineIndex same{.constant = index.constant, .coefficients = std::vector<int64_t>(num_variables)};
  for (const auto& [slot, coefficient] : index.terms) same.coefficients[slot] += coefficient;
  return same;
}

}  // namespace

BoundedInteger whole_number(double number) {
  if (std::isinf(number)) return BoundedInteger::infinity(number < 0);
  return {number >= 0x1p63 ? std::numeric_limits<int64_t>::max()
                           : integer_of(number, ElementType::i64)};
}

ElementEvaluator::ElementEvaluator(const Computation& computation, const NamedArrays& given,
                                   const RegionValues& made)
    : c_(computation), nodes_(computation) {
  for (const Access& access : c_.reads) reads_.push_back(prepared(access, given, made));
  element_ = nodes_.add(c_.element, ComputedType::real);
  if (c_.reducer != Reducer::none && nodes_[element_].type == ComputedType::boolean)
    element_ = nodes_.add(Node{.kind = NodeKind::cast, .operands = {element_}});
  nodes_.set_reduced(nodes_[element_].type);
  for (const GatherIndex& index : c_.gathers)
    chosen_.push_back(nodes_.add(index.value, ComputedType::integer));
  result_ = nodes_.add(c_.result, nodes_[element_].type);
}

ElementEvaluator::Read ElementEvaluator::prepared(const Access& access, const NamedArrays& given,
                                                  const RegionValues& made) const {
  Read read{.conditions = nodes_.limits(access.conditions), .outside = access.outside};
  for (const IndexExpr& e : access.indices) read.indices.push_back(nodes_.index(e));
  for (const LogicalDim& dim : tensor_named(c_, access.tensor).dims)
    read.extents.push_back(dim.extent);
  if (const auto own = made.find(access.tensor); own != made.end()) {
    read.values = own->second.values;
    read.errors = &own->second.errors;
  } else {
    read.values = given.find(access.tensor)->second;
  }
  if (!read.conditions.empty()) return read;
  read.affine.emplace();
  for (const SlotIndex& index : read.indices) {
    const std::optional<AffineIndex> same = affine(index, nodes_.variables());
    if (!same) {
      read.affine.reset();
      break;
    }
    read.affine->push_back(*same);
  }
  return read;
}

ElementPoint ElementEvaluator::first_point() const {
  return {.variables = std::vector<int64_t>(nodes_.variables())};
}

void ElementEvaluator::choose(ElementPoint& at) const {
  at.chosen_by_error = false;
  for (size_t k = 0; k < chosen_.size(); ++k) {
    const BoundedInteger named = value(chosen_[k], at).whole;
    at.chosen_by_error = at.chosen_by_error || named.error > 0;
    at.variables[c_.axes.size() + k] =
        std::clamp<int64_t>(named.value, 0, c_.gathers[k].extent - 1);
  }
}

void ElementEvaluator::along(size_t node, ElementPoint& at, size_t axis,
                             std::span<BoundedNumber> numbers) const {
  const Node& n = nodes_[node];
  const auto count = std::ssize(numbers);
  if (n.kind == NodeKind::read && reads_[n.read].affine) {
    const Read& read = reads_[n.read];
    const StridedRun run = run_along(*read.affine, read.extents, at.variables, axis, count);
    std::ranges::fill(numbers, as_real(number(read.outside, n.type), n.type));
    for (int64_t k = run.begin; k < run.end; ++k) {
      const auto flat = static_cast<size_t>(run.position + k * run.step);
      numbers[static_cast<size_t>(k)] =
          as_real(element_at(read.values, read.errors, n.type, flat), n.type);
    }
    return;
  }
  const int64_t first = at.variables[axis];
  for (BoundedNumber& one : numbers) {
    one = as_real(value(node, at), n.type);
    ++at.variables[axis];
  }
  at.variables[axis] = first;
}

bool ElementEvaluator::is_exact(size_t node) const {
  const Node& n = nodes_[node];
  return n.kind == NodeKind::read && reads_[n.read].errors == nullptr &&
         reads_[n.read].values.type() != ElementType::f64 &&
         reads_[n.read].outside == static_cast<float>(reads_[n.read].outside);
}

// Position of the element read; nothing outside the tensor.
std::optional<size_t> ElementEvaluator::place(const Read& read, const ElementPoint& at) const {
  if (!holds(read.conditions, at)) return std::nullopt;
  size_t flat = 0;
  for (size_t j = 0; j < read.indices.size(); ++j) {
    const int64_t index = read.indices[j].at(at.variables);
    if (index < 0 || index >= read.extents[j]) return std::nullopt;
    flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(index);
  }
  return flat;
}

BoundedValue ElementEvaluator::read(const Read& read, ComputedType type,
                                    const ElementPoint& at) const {
  const std::optional<size_t> flat = place(read, at);
  return flat ? element_at(read.values, read.errors, type, *flat) : number(read.outside, type);
}

BoundedValue ElementEvaluator::value(size_t node, const ElementPoint& at) const {
  const Node& n = nodes_[node];
  const auto operand = [&](size_t k) { return value(n.operands[k], at); };
  switch (n.kind) {
    case NodeKind::constant: return number(n.number, n.type);
    case NodeKind::read: return read(reads_[n.read], n.type, at);
    case NodeKind::reduced: return at.reduced;
    case NodeKind::index: return {.whole = {n.index.at(at.variables), 0}};
    case NodeKind::binary: return combined(n, operand(0), operand(1), at);
    case NodeKind::comparison: {
      const bool real = is_real(nodes_[n.operands[0]].type);
      const BoundedValue a = operand(0), b = operand(1);
      return {.whole =
                  real ? compare(n.binary, a.real, b.real) : compare(n.binary, a.whole, b.whole)};
    }
    case NodeKind::unary:
      if (!is_real(n.type)) return {.whole = apply(n.unary, operand(0).whole)};
      return {.real = apply(n.unary, operand(0).real)};
    case NodeKind::select: return operand(holds(n.bounds, at) ? 0 : 1);
    case NodeKind::choose: return chosen_by_data(n, at);
    case NodeKind::cast: break;
  }
  return cast(n, operand(0));
}

BoundedValue ElementEvaluator::cast(const Node& n, const BoundedValue& operand) const {
  const bool from_real = is_real(nodes_[n.operands[0]].type);
  if (is_real(n.type))
    return {.real = stored(from_real ? operand.real : real_of(operand.whole), n.cast)};
  return {.whole = from_real ? integer_of(operand.real, n.cast) : stored(operand.whole, n.cast)};
}

BoundedValue ElementEvaluator::combined(const Node& n, const BoundedValue& a, const BoundedValue& b,
                                        const ElementPoint& at) const {
  if (!is_real(n.type)) return {.whole = apply(n.binary, a.whole, b.whole)};
  BoundedNumber result = apply(n.binary, a.real, b.real);
  if (c_.reducer == Reducer::sum && n.binary == BinaryOp::mul && std::isnan(result.value) &&
      (is_left_out(n.operands[0], at) || is_left_out(n.operands[1], at)))
    return {.real = {0, kUnbounded}};
  if (n.binary != BinaryOp::add && n.binary != BinaryOp::sub) return {.real = result};
  // A product that overflows by itself may not do so in a fused multiply-add.
  for (size_t k = 0; k < 2; ++k) {
    const Node& product = nodes_[n.operands[k]];
    const BoundedNumber& overflowing = k == 0 ? a.real : b.real;
    if (product.kind != NodeKind::binary || product.binary != BinaryOp::mul ||
        !std::isinf(overflowing.value))
      continue;
    const double exact =
        value(product.operands[0], at).real.value * value(product.operands[1], at).real.value;
    const double other = k == 0 ? b.real.value : a.real.value;
    const double first = k == 0 ? exact : other;
    const double second = k == 0 ? other : exact;
    const double joint =
        overflowed(n.binary == BinaryOp::add ? first + second : first - second, ElementType::f32);
    if (joint != result.value && !(std::isnan(joint) && std::isnan(result.value)))
      result.error = kUnbounded;
  }
  return {.real = result};
}

// A factor outside its tensor: code may omit the term from the sum, whatever the others are.
bool ElementEvaluator::is_left_out(size_t node, const ElementPoint& at) const {
  const Node& n = nodes_[node];
  if (n.kind == NodeKind::binary && n.binary == BinaryOp::mul)
    return is_left_out(n.operands[0], at) || is_left_out(n.operands[1], at);
  if (n.kind == NodeKind::cast) return is_left_out(n.operands[0], at);
  return n.kind == NodeKind::read && reads_[n.read].outside == 0 && !place(reads_[n.read], at);
}

BoundedValue ElementEvaluator::chosen_by_data(const Node& n, const ElementPoint& at) const {
  const BoundedInteger condition = truth_of(n.operands[0], at);
  const BoundedValue then = value(n.operands[1], at);
  const BoundedValue otherwise = value(n.operands[2], at);
  BoundedValue result = condition.value != 0 ? then : otherwise;
  if (condition.error == 0) return result;
  if (!is_real(n.type)) {
    const double apart = std::abs(static_cast<double>(then.whole.value) -
                                  static_cast<double>(otherwise.whole.value));
    result.whole.error = std::max(then.whole.error, otherwise.whole.error) + apart;
    return result;
  }
  result.real.error = std::max(then.real.error, otherwise.real.error) +
                      std::abs(then.real.value - otherwise.real.value);
  if (std::isnan(result.real.error)) result.real.error = kUnbounded;
  return result;
}

BoundedInteger ElementEvaluator::truth_of(size_t node, const ElementPoint& at) const {
  const BoundedValue one = value(node, at);
  if (is_real(nodes_[node].type)) return integer_of(one.real, ElementType::boolean);
  return stored(one.whole, ElementType::boolean);
}

}  // namespace dovetail
