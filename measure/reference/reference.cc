// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/check.h"
#include "measure/reference/direct_sum.h"

namespace dovetail {
namespace {

// The number of consecutive output elements that share one element of the bias, that of their
// channel or of a product's column, and the number of elements of the bias.
std::pair<size_t, size_t> bias_steps(const Operator& op) {
  const std::vector<int64_t> shape = logical_shape(op, Operand::output);
  const size_t along = op.sum                       ? static_cast<size_t>(bias_axis(*op.sum))
                       : is_matrix_product(op.kind) ? shape.size() - 1
                                                    : 1;
  size_t inner = 1;
  for (size_t axis = along + 1; axis < shape.size(); ++axis)
    inner *= static_cast<size_t>(shape[axis]);
  return {inner, static_cast<size_t>(shape[along])};
}

template <typename Number>
Number applied(const Epilogue& epilogue, Number v) {
  switch (epilogue.kind) {
    case EpilogueKind::relu: return std::max<Number>(v, 0);
    case EpilogueKind::relu6: return std::clamp<Number>(v, 0, 6);
    case EpilogueKind::clip:  // bounds are f32 in the kernels
      return std::clamp<Number>(v, static_cast<float>(epilogue.lo),
                                static_cast<float>(epilogue.hi));
    case EpilogueKind::gelu: return v * (1 + std::erf(v / std::numbers::sqrt2_v<Number>)) / 2;
    case EpilogueKind::silu: return v / (1 + std::exp(-v));
    case EpilogueKind::sigmoid: return 1 / (1 + std::exp(-v));
    case EpilogueKind::tanh: return std::tanh(v);
    case EpilogueKind::bias:
    case EpilogueKind::add: break;
  }
  CHECK(false, "an epilogue with an operand");
}

template <typename Number>
void apply_epilogue(const Operator& op, const Epilogue& epilogue, const Operands& operands,
                    FactorPart part, std::vector<Number>& values) {
  const auto taken = [part](double v) {
    return static_cast<Number>(part == FactorPart::value ? v : std::fabs(v));
  };
  if (epilogue.kind == EpilogueKind::bias) {
    const auto [inner, count] = bias_steps(op);
    const ArrayView bias = operands.bias;
    for (size_t i = 0; i < values.size(); ++i) values[i] += taken(bias.real(i / inner % count));
  } else if (epilogue.kind == EpilogueKind::add) {
    const ArrayView addend = operands.addend;
    for (size_t i = 0; i < values.size(); ++i) values[i] += taken(addend.real(i));
  } else {
    for (Number& value : values) value = applied(epilogue, value);
  }
}

std::vector<float> scale_of(const Operator& op, const Operands& operands) {
  constexpr auto kPart = FactorPart::magnitude;
  std::vector<float> scale = direct_sum<float>(op, operands.input, operands.weight, kPart);
  for (const Epilogue& epilogue : op.epilogues)
    if (epilogue.kind == EpilogueKind::bias || epilogue.kind == EpilogueKind::add)
      apply_epilogue(op, epilogue, operands, kPart, scale);
  return scale;
}

// `epilogue_scale` may be null; it receives 1 + |input of the first epilogue that rounds|.
NDArray values_of(const Operator& op, const Operands& operands,
                  std::vector<double>* epilogue_scale) {
  std::vector<double> values = direct_sum<double>(op, operands.input, operands.weight);
  for (double& value : values) value = overflowed(value, ElementType::f32);
  for (const Epilogue& epilogue : op.epilogues) {
    if (epilogue_scale != nullptr && rounds(epilogue) && epilogue_scale->empty())
      for (const double value : values) epilogue_scale->push_back(1 + std::fabs(value));
    apply_epilogue(op, epilogue, operands, FactorPart::value, values);
  }
  for (double& value : values) value = overflowed(value, op.dtype);
  return {ElementType::f64, logical_shape(op, Operand::output), std::move(values)};
}

}  // namespace

Reference compute_reference(const Operator& op, const Operands& operands) {
  Reference reference;
  reference.values = values_of(op, operands, &reference.epilogue_scale);
  reference.scale = scale_of(op, operands);
  return reference;
}

NDArray reference_values(const Operator& op, const Operands& operands) {
  return values_of(op, operands, nullptr);
}

NDArray exact_reference(const Operator& op, const Operands& operands) {
  CHECK(is_exact_on_integers(op), "an exact reference of an operator that rounds");
  std::vector<float> values = direct_sum<float>(op, operands.input, operands.weight);
  for (const Epilogue& epilogue : op.epilogues)
    apply_epilogue(op, epilogue, operands, FactorPart::value, values);
  return {ElementType::f32, logical_shape(op, Operand::output), std::move(values)};
}

}  // namespace dovetail
