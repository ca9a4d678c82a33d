// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/product_sums.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

enum class NumberPart { value, magnitude, error, largest };

double part_of(const BoundedNumber& number, NumberPart part) {
  switch (part) {
    case NumberPart::value: return number.value;
    case NumberPart::magnitude: return std::abs(number.value);
    case NumberPart::error: return number.error;
    case NumberPart::largest: break;
  }
  return std::abs(number.value) + number.error;
}

FactorRun<double> factor_of(const ElementEvaluator& evaluator, size_t node, NumberPart part) {
  return [&evaluator, node, part](const std::vector<int64_t>& axes, size_t axis,
                                  std::span<double> elements) {
    ElementPoint at{.variables = axes};
    std::vector<BoundedNumber> numbers(elements.size());
    evaluator.along(node, at, axis, numbers);
    for (size_t k = 0; k < numbers.size(); ++k) elements[k] = part_of(numbers[k], part);
  };
}

// The axes that a value of the computation depends on.
std::vector<bool> axes_in(const Computation& c, const Value& value) {
  std::vector<bool> found(c.axes.size());
  const auto note = [&](const IndexExpr& index) {
    for (size_t a = 0; a < found.size(); ++a) found[a] = found[a] || index.mentions(c.axes[a].name);
  };
  for_each_index(value, c.reads, note);
  for_each_node(value, [&](const Value& node) {
    if (const auto* read = node.as<ReadOf>())
      for (const Bound& bound : c.reads[static_cast<size_t>(read->position)].conditions)
        note(bound.expr);
  });
  return found;
}

bool is_shared(const Contraction& axes) {
  for (size_t a = 0; a < axes.num_output_axes; ++a)
    if (axes.left[a] != axes.right[a] && axes.extents[a] > 1) return true;
  return false;
}

void add(const std::vector<double>& more, std::vector<double>& sums) {
  if (sums.empty()) sums.resize(more.size());
  for (size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

}  // namespace

std::optional<BoundedNumber> ProductSums::real(size_t element, const SumBound& sums) const {
  return bounded_sum({.total = values[element],
                      .magnitude = magnitudes[element],
                      .factor_error = errors.empty() ? 0 : errors[element],
                      .terms = terms},
                     sums);
}

std::optional<BoundedInteger> ProductSums::whole(size_t element) const {
  constexpr double kExact = 0x1p52;  // integers in double
  if (!errors.empty() && errors[element] != 0) return {};
  if (!(magnitudes[element] < kExact)) return {};
  return BoundedInteger{static_cast<int64_t>(values[element])};
}

std::optional<Contraction> contraction_of(const Computation& computation) {
  const auto* product = computation.element.as<Binary>();
  if (computation.reducer != Reducer::sum || !computation.gathers.empty()) return {};
  if (product == nullptr || product->op != BinaryOp::mul) return {};
  Contraction axes{.left = axes_in(computation, product->left),
                   .right = axes_in(computation, product->right)};
  for (const Axis& axis : computation.axes) {
    axes.extents.push_back(axis.extent);
    if (!axis.reduction) ++axes.num_output_axes;
  }
  return is_shared(axes) ? std::optional(std::move(axes)) : std::nullopt;
}

std::optional<ProductSums> product_sums(const ElementEvaluator& evaluator) {
  const Computation& c = evaluator.computation();
  const std::optional<Contraction> axes = contraction_of(c);
  const Node& product = evaluator.node(evaluator.element());
  if (!axes || product.kind != NodeKind::binary) return {};  // truths are cast to be summed
  const size_t left = product.operands[0], right = product.operands[1];
  const auto summed = [&](NumberPart of_left, NumberPart of_right) {
    return contract<double>(*axes, factor_of(evaluator, left, of_left),
                            factor_of(evaluator, right, of_right));
  };
  ProductSums sums{.values = summed(NumberPart::value, NumberPart::value),
                   .magnitudes = summed(NumberPart::magnitude, NumberPart::magnitude),
                   .errors = {},
                   .terms = 1};
  for (const Axis& axis : c.axes)
    if (axis.reduction) sums.terms *= static_cast<double>(axis.extent);
  if (!evaluator.is_exact(left)) add(summed(NumberPart::error, NumberPart::largest), sums.errors);
  if (!evaluator.is_exact(right))
    add(summed(NumberPart::magnitude, NumberPart::error), sums.errors);
  return sums;
}

}  // namespace dovetail
