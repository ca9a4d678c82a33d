// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/computation_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/parallel.h"
#include "measure/reference/product_sums.h"

namespace dovetail {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr size_t kPieceElements = 1024;
constexpr double kFewEvaluations = 1 << 13;  // faster on one thread than starting others

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
      : c_(c), sums_(sums), evaluator_(c, given, made), products_(product_sums(evaluator_)) {
    while (outputs_ < c.axes.size() && !c.axes[outputs_].reduction) ++outputs_;
  }

  BoundedTensor run() {
    const Tensor& output = tensor_named(c_, c_.output.tensor);
    const std::vector<int64_t> shape = shape_of(output);
    std::vector<double> errors(static_cast<size_t>(num_elements(shape)));
    if (computed_type(output.type) == ComputedType::real) {
      std::vector<double> reals(errors.size());
      for_each_element(errors.size(), [&](size_t k, const BoundedValue& one) {
        const BoundedNumber kept = stored(one.real, output.type);
        reals[k] = kept.value;
        errors[k] = kept.error;
      });
      return {NDArray(ElementType::f64, shape, std::move(reals)), std::move(errors)};
    }
    std::vector<int64_t> integers(errors.size());
    for_each_element(errors.size(), [&](size_t k, const BoundedValue& one) {
      const BoundedInteger kept = stored(one.whole, output.type);
      integers[k] = kept.value;
      errors[k] = kept.error;
    });
    return {NDArray(ElementType::i64, shape, std::move(integers)), std::move(errors)};
  }

 private:
  template <typename Take>
  void for_each_element(size_t count, const Take& take) const {
    double evaluations = static_cast<double>(count);
    for (size_t a = outputs_; a < c_.axes.size(); ++a)
      evaluations *= products_ ? 1 : static_cast<double>(c_.axes[a].extent);
    const size_t piece = evaluations < kFewEvaluations ? count : kPieceElements;
    for_each_in_parallel((count + piece - 1) / std::max<size_t>(piece, 1), [&](size_t number) {
      ElementPoint at = evaluator_.first_point();
      const size_t first = number * piece, last = std::min(count, first + piece);
      place(first, at);
      for (size_t k = first; k < last; ++k, next(0, outputs_, at)) take(k, element_at(k, at));
    });
  }

  // Sets the output axes for this element.
  void place(size_t element, ElementPoint& at) const {
    auto rest = static_cast<int64_t>(element);
    for (size_t a = outputs_; a-- > 0; rest /= c_.axes[a].extent)
      at.variables[a] = rest % c_.axes[a].extent;
  }

  // The next values of axes [first, last), the last one fastest; false after the end.
  bool next(size_t first, size_t last, ElementPoint& at) const {
    for (size_t a = last; a-- > first;) {
      if (++at.variables[a] < c_.axes[a].extent) return true;
      at.variables[a] = 0;
    }
    return false;
  }

  BoundedValue element_at(size_t element, ElementPoint& at) const {
    if (c_.reducer == Reducer::none) return element_value(at);
    const std::optional<BoundedValue> sum = products_ ? product_sum(element) : std::nullopt;
    for (size_t a = outputs_; a < c_.axes.size(); ++a) at.variables[a] = 0;
    at.reduced = sum ? *sum : reduced(at);
    return evaluator_.value(evaluator_.result(), at);
  }

  std::optional<BoundedValue> product_sum(size_t element) const {
    if (evaluator_.reduces_reals()) {
      const std::optional<BoundedNumber> sum = products_->real(element, sums_);
      return sum ? std::optional(BoundedValue{.real = *sum}) : std::nullopt;
    }
    const std::optional<BoundedInteger> sum = products_->whole(element);
    return sum ? std::optional(BoundedValue{.whole = *sum}) : std::nullopt;
  }

  // An index with an error may select another element altogether.
  BoundedValue element_value(ElementPoint& at) const {
    evaluator_.choose(at);
    BoundedValue value = evaluator_.value(evaluator_.element(), at);
    if (at.chosen_by_error) value.real.error = value.whole.error = kNoBound;
    return value;
  }

  // Over the reduced axes, which are 0 before and after.
  BoundedValue reduced(ElementPoint& at) const {
    BoundedValue total;
    total.real.value = neutral(c_.reducer);
    total.whole = whole_number(neutral(c_.reducer));
    const bool is_real_sum = c_.reducer == Reducer::sum && evaluator_.reduces_reals();
    SumOfTerms sum(sums_);
    PartialProducts products;
    do {
      const BoundedValue one = element_value(at);
      if (c_.reducer == Reducer::prod) products.add(one.real.value);
      if (is_real_sum)
        sum.add(one.real);
      else
        join(one, total);
    } while (next(outputs_, c_.axes.size(), at));
    if (is_real_sum) total.real = sum.total();
    if (products.may_leave_f32()) total.real.error = kNoBound;
    total.whole.is_infinite = false;  // an accumulator holds no infinity
    return total;
  }

  void join(const BoundedValue& one, BoundedValue& total) const {
    const BinaryOp op = operation_of(c_.reducer);
    if (!evaluator_.reduces_reals()) {
      total.whole = apply(op, total.whole, one.whole);
      return;
    }
    const bool has_nan = std::isnan(total.real.value) || std::isnan(one.real.value);
    total.real = apply(op, total.real, one.real);
    // A min or max over a NaN may ignore it or return it.
    if (has_nan && op != BinaryOp::mul) total.real.error = kNoBound;
  }

  const Computation& c_;
  SumBound sums_;
  ElementEvaluator evaluator_;
  std::optional<ProductSums> products_;
  size_t outputs_ = 0;  // axes of the output
};

}  // namespace

BoundedTensor evaluate_computation(const Computation& computation, const NamedArrays& given,
                                   const RegionValues& made, const SumBound& sums) {
  return ComputationEvaluator(computation, given, made, sums).run();
}

}  // namespace dovetail
