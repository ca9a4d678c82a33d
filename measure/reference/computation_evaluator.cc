// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/computation_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/ir/operator/value_nodes.h"

namespace dovetail {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// An access to a tensor, with the value `outside` for elements beyond it.
struct Read {
  std::vector<SlotIndex> indices = {};
  std::vector<int64_t> extents = {};
  std::vector<IndexLimits> conditions = {};
  ArrayView values = {};
  const std::vector<double>* errors = nullptr;  // null: exact
  double outside = 0;
};

// The node's type determines which of the two is valid.
struct BoundedValue {
  BoundedNumber real = {};
  BoundedInteger whole = {};
};

bool is_real(ComputedType type) { return type == ComputedType::real; }

// A constant as an integer.
BoundedInteger whole_number(double number) {
  if (std::isinf(number)) return BoundedInteger::infinity(number < 0);
  return {number >= 0x1p63 ? std::numeric_limits<int64_t>::max()
                           : integer_of(number, ElementType::i64)};
}

// Bounds on partial products of real numbers in any order of factors, as powers of two.
class PartialProducts {
 public:
  void add(double factor) {
    const double size = std::abs(factor);
    if (size == 0) has_zero_ = true;
    if (size > 0 && size < 1) below_ -= std::log2(size);
    if (size > 1) above_ += std::log2(size);
  }
  // A partial product may leave f32's range, and code then keeps 0 or an infinity.
  bool may_leave_f32() const {
    constexpr double kLeast = 126, kMost = 127;
    return above_ > kMost || (below_ > kLeast && !has_zero_);
  }

 private:
  double below_ = 0, above_ = 0;
  bool has_zero_ = false;
};

class ComputationEvaluator {
 public:
  ComputationEvaluator(const Computation& c, const NamedArrays& given, const RegionValues& made,
                       const SumBound& sums)
      : c_(c), sums_(sums), nodes_(c) {
    variables_.resize(nodes_.variables());
    for (const Access& access : c.reads) reads_.push_back(prepared(access, given, made));
    element_ = nodes_.add(c.element, ComputedType::real);
    reduced_type_ = nodes_[element_].type;
    if (c.reducer != Reducer::none && reduced_type_ == ComputedType::boolean)
      element_ = nodes_.add(Node{.kind = NodeKind::cast, .operands = {element_}});
    reduced_type_ = nodes_[element_].type;
    nodes_.set_reduced(reduced_type_);
    for (const GatherIndex& index : c.gathers)
      chosen_.push_back(nodes_.add(index.value, ComputedType::integer));
    result_ = nodes_.add(c.result, reduced_type_);
  }

  BoundedTensor run() {
    const Tensor& output = tensor_named(c_, c_.output.tensor);
    size_t outputs = 0;
    while (outputs < c_.axes.size() && !c_.axes[outputs].reduction) ++outputs;
    const bool real = computed_type(output.type) == ComputedType::real;
    std::vector<double> reals, errors;
    std::vector<int64_t> integers;
    do {
      const BoundedValue one = element_at(outputs);
      if (real) {
        const BoundedNumber kept = stored(one.real, output.type);
        reals.push_back(kept.value);
        errors.push_back(kept.error);
      } else {
        const BoundedInteger kept = stored(one.whole, output.type);
        integers.push_back(kept.value);
        errors.push_back(kept.error);
      }
    } while (next(0, outputs));
    const std::vector<int64_t> shape = shape_of(output);
    NDArray values = real ? NDArray(ElementType::f64, shape, std::move(reals))
                          : NDArray(ElementType::i64, shape, std::move(integers));
    return {std::move(values), std::move(errors)};
  }

 private:
  Read prepared(const Access& access, const NamedArrays& given, const RegionValues& made) const {
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
    return read;
  }

  // The next values of axes [first, last), the last one fastest; false after the end.
  bool next(size_t first, size_t last) {
    for (size_t a = last; a-- > first;) {
      if (++variables_[a] < c_.axes[a].extent) return true;
      variables_[a] = 0;
    }
    return false;
  }

  BoundedValue element_at(size_t outputs) {
    BoundedValue total;
    if (c_.reducer == Reducer::none) {
      choose();
      return closed(evaluate(element_, {}));
    }
    total.real.value = neutral(c_.reducer);
    total.whole = whole_number(neutral(c_.reducer));
    for (size_t a = outputs; a < c_.axes.size(); ++a) variables_[a] = 0;
    SumOfTerms sum(sums_);
    PartialProducts products;
    do {
      choose();
      const BoundedValue one = closed(evaluate(element_, {}));
      if (c_.reducer == Reducer::prod) products.add(one.real.value);
      if (c_.reducer == Reducer::sum && is_real(reduced_type_))
        sum.add(one.real);
      else
        join(one, total);
    } while (next(outputs, c_.axes.size()));
    if (c_.reducer == Reducer::sum && is_real(reduced_type_)) total.real = sum.total();
    if (products.may_leave_f32()) total.real.error = kUnbounded;
    total.whole.is_infinite = false;  // an accumulator holds no infinity
    return evaluate(result_, total);
  }

  void join(const BoundedValue& one, BoundedValue& total) const {
    const BinaryOp op = operation_of(c_.reducer);
    if (!is_real(reduced_type_)) {
      total.whole = apply(op, total.whole, one.whole);
      return;
    }
    const bool has_nan = std::isnan(total.real.value) || std::isnan(one.real.value);
    total.real = apply(op, total.real, one.real);
    // A min or max over a NaN may ignore it or return it.
    if (has_nan && op != BinaryOp::mul) total.real.error = kUnbounded;
  }

  // An index with an error may select another element altogether.
  BoundedValue closed(BoundedValue value) const {
    if (!chosen_by_error_) return value;
    value.real.error = value.whole.error = kUnbounded;
    return value;
  }

  void choose() {
    chosen_by_error_ = false;
    for (size_t k = 0; k < chosen_.size(); ++k) {
      const BoundedInteger named = evaluate(chosen_[k], {}).whole;
      chosen_by_error_ = chosen_by_error_ || named.error > 0;
      variables_[c_.axes.size() + k] =
          std::clamp<int64_t>(named.value, 0, c_.gathers[k].extent - 1);
    }
  }

  bool holds(const std::vector<IndexLimits>& bounds) const {
    return std::ranges::all_of(bounds, [&](const auto& bound) { return bound.holds(variables_); });
  }

  BoundedValue number(double value, ComputedType type) const {
    if (!is_real(type)) return {.whole = whole_number(value)};
    const double rounded = static_cast<float>(value);
    const bool overflows = !std::isfinite(rounded);
    return {.real = {overflows ? rounded : value, overflows ? 0 : std::abs(rounded - value)}};
  }

  // Position of the element read; nothing outside the tensor.
  std::optional<size_t> place(const Read& read) const {
    if (!holds(read.conditions)) return std::nullopt;
    size_t flat = 0;
    for (size_t j = 0; j < read.indices.size(); ++j) {
      const int64_t at = read.indices[j].at(variables_);
      if (at < 0 || at >= read.extents[j]) return std::nullopt;
      flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(at);
    }
    return flat;
  }

  BoundedValue read(const Read& read, ComputedType type) const {
    const std::optional<size_t> flat = place(read);
    if (!flat) return number(read.outside, type);
    const double error = read.errors == nullptr ? 0 : (*read.errors)[*flat];
    if (is_real(type)) {
      const double value = read.values.real(*flat);
      // Code reads a double as f32.
      const bool is_wide = read.errors == nullptr && read.values.type() == ElementType::f64;
      const double narrowed = is_wide ? std::abs(static_cast<float>(value) - value) : 0;
      return {.real = {value, std::isfinite(narrowed) ? error + narrowed : error}};
    }
    return {.whole = {read.values.integer(*flat), error}};
  }

  BoundedValue evaluate(size_t node, const BoundedValue& reduced) const {
    const Node& n = nodes_[node];
    const auto operand = [&](size_t k) { return evaluate(n.operands[k], reduced); };
    switch (n.kind) {
      case NodeKind::constant: return number(n.number, n.type);
      case NodeKind::read: return read(reads_[n.read], n.type);
      case NodeKind::reduced: return reduced;
      case NodeKind::index: return {.whole = {n.index.at(variables_), 0}};
      case NodeKind::binary: return combined(n, operand(0), operand(1), reduced);
      case NodeKind::comparison: {
        const bool real = is_real(nodes_[n.operands[0]].type);
        const BoundedValue a = operand(0), b = operand(1);
        return {.whole =
                    real ? compare(n.binary, a.real, b.real) : compare(n.binary, a.whole, b.whole)};
      }
      case NodeKind::unary:
        if (!is_real(n.type)) return {.whole = apply(n.unary, operand(0).whole)};
        return {.real = apply(n.unary, operand(0).real)};
      case NodeKind::select: return operand(holds(n.bounds) ? 0 : 1);
      case NodeKind::choose: return chosen_by_data(n, reduced);
      case NodeKind::cast: break;
    }
    return cast(n, operand(0));
  }

  BoundedValue cast(const Node& n, const BoundedValue& operand) const {
    const bool from_real = is_real(nodes_[n.operands[0]].type);
    if (is_real(n.type))
      return {.real = stored(from_real ? operand.real : real_of(operand.whole), n.cast)};
    return {.whole = from_real ? integer_of(operand.real, n.cast) : stored(operand.whole, n.cast)};
  }

  BoundedValue combined(const Node& n, const BoundedValue& a, const BoundedValue& b,
                        const BoundedValue& reduced) const {
    if (!is_real(n.type)) return {.whole = apply(n.binary, a.whole, b.whole)};
    BoundedNumber result = apply(n.binary, a.real, b.real);
    if (c_.reducer == Reducer::sum && n.binary == BinaryOp::mul && std::isnan(result.value) &&
        (is_left_out(n.operands[0]) || is_left_out(n.operands[1])))
      return {.real = {0, kUnbounded}};
    if (n.binary != BinaryOp::add && n.binary != BinaryOp::sub) return {.real = result};
    // A product that overflows by itself may not do so in a fused multiply-add.
    for (size_t k = 0; k < 2; ++k) {
      const Node& product = nodes_[n.operands[k]];
      const BoundedNumber& overflowing = k == 0 ? a.real : b.real;
      if (product.kind != NodeKind::binary || product.binary != BinaryOp::mul ||
          !std::isinf(overflowing.value))
        continue;
      const double exact = evaluate(product.operands[0], reduced).real.value *
                           evaluate(product.operands[1], reduced).real.value;
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
  bool is_left_out(size_t node) const {
    const Node& n = nodes_[node];
    if (n.kind == NodeKind::binary && n.binary == BinaryOp::mul)
      return is_left_out(n.operands[0]) || is_left_out(n.operands[1]);
    if (n.kind == NodeKind::cast) return is_left_out(n.operands[0]);
    return n.kind == NodeKind::read && reads_[n.read].outside == 0 && !place(reads_[n.read]);
  }

  BoundedValue chosen_by_data(const Node& n, const BoundedValue& reduced) const {
    const BoundedInteger condition = truth_of(n.operands[0], reduced);
    const BoundedValue then = evaluate(n.operands[1], reduced);
    const BoundedValue otherwise = evaluate(n.operands[2], reduced);
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

  BoundedInteger truth_of(size_t node, const BoundedValue& reduced) const {
    const BoundedValue value = evaluate(node, reduced);
    if (is_real(nodes_[node].type)) return integer_of(value.real, ElementType::boolean);
    return stored(value.whole, ElementType::boolean);
  }

  const Computation& c_;
  SumBound sums_;
  ValueNodes nodes_;
  std::vector<int64_t> variables_;
  std::vector<Read> reads_;
  ComputedType reduced_type_ = ComputedType::real;
  size_t element_ = 0, result_ = 0;
  std::vector<size_t> chosen_;
  bool chosen_by_error_ = false;
};

}  // namespace

BoundedTensor evaluate_computation(const Computation& computation, const NamedArrays& given,
                                   const RegionValues& made, const SumBound& sums) {
  return ComputationEvaluator(computation, given, made, sums).run();
}

}  // namespace dovetail
