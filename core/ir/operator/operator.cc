// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/operator.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 10> kKindNames = {"c1d", "c2d", "c3d", "grp", "dil",
                                                         "dep", "t2d", "t3d", "gmm", "custom"};
constexpr std::array<std::string_view, 5> kOperandNames = {"input", "weight", "bias", "addend",
                                                           "output"};

// Counts pairs (i, r), 0 <= i < steps, 0 <= r < taps, with i * stride + r * dilation in
// begin .. end. Iterates over the shorter of the two ranges and counts the other in closed form.
double count_pairs(int64_t steps, int64_t stride, int64_t taps, int64_t dilation, int64_t begin,
                   int64_t end) {
  if (taps > steps) return count_pairs(taps, dilation, steps, stride, begin, end);
  const auto at_or_above = [](int64_t bound, int64_t step) {
    return bound <= 0 ? 0 : (bound + step - 1) / step;
  };
  double pairs = 0;
  for (int64_t r = 0; r < taps; ++r) {
    const int64_t first = std::min(steps, at_or_above(begin - r * dilation, stride));
    const int64_t last = std::min(steps, at_or_above(end - r * dilation, stride));
    pairs += static_cast<double>(std::max<int64_t>(0, last - first));
  }
  return pairs;
}

double real_taps(const SpatialAxis& axis, bool transposed) {
  const int64_t outputs = output_extent(axis, transposed);
  const int64_t steps = transposed ? axis.extent : outputs;
  const int64_t reached = transposed ? outputs : axis.extent;
  return count_pairs(steps, axis.stride, axis.kernel, axis.dilation, axis.pad_before,
                     axis.pad_before + reached);
}

double nominal_taps(const SpatialAxis& axis, bool transposed) {
  const int64_t steps = transposed ? axis.extent : output_extent(axis, false);
  return static_cast<double>(steps) * static_cast<double>(axis.kernel);
}

double flops(const Operator& op, double (*taps)(const SpatialAxis&, bool)) {
  if (is_matrix_product(op.kind))
    return 2.0 * double(op.batch) * double(op.m) * double(op.n) * double(op.k);
  double result =
      2.0 * double(op.batch) * double(op.in_channels) * double(op.out_channels / op.groups);
  for (const SpatialAxis& axis : op.spatial) result *= taps(axis, is_transposed(op.kind));
  return result;
}

}  // namespace

std::string_view name_of(OperatorKind kind) { return kKindNames[static_cast<size_t>(kind)]; }
std::string_view name_of(Operand operand) { return kOperandNames[static_cast<size_t>(operand)]; }

bool is_transposed(OperatorKind kind) {
  return kind == OperatorKind::t2d || kind == OperatorKind::t3d;
}
bool is_matrix_product(OperatorKind kind) { return kind == OperatorKind::gmm; }

bool has_epilogue(const Operator& op, EpilogueKind kind) {
  return std::ranges::any_of(op.epilogues,
                             [kind](const Epilogue& epilogue) { return epilogue.kind == kind; });
}

int64_t window_extent(const SpatialAxis& axis) { return axis.dilation * (axis.kernel - 1) + 1; }

int64_t output_extent(const SpatialAxis& axis, bool transposed) {
  const int64_t pads = axis.pad_before + axis.pad_after;
  if (transposed)
    return (axis.extent - 1) * axis.stride + window_extent(axis) + axis.output_padding - pads;
  const int64_t slack = axis.extent + pads - window_extent(axis);
  return slack < 0 ? 0 : slack / axis.stride + 1;
}

std::vector<Operand> input_operands(const Operator& op) {
  std::vector<Operand> operands = {Operand::input, Operand::weight};
  if (has_epilogue(op, EpilogueKind::bias)) operands.push_back(Operand::bias);
  if (has_epilogue(op, EpilogueKind::add)) operands.push_back(Operand::addend);
  return operands;
}

namespace {

// `output` is the addend's shape, too.
struct Shapes {
  std::vector<int64_t> input, weight, bias, output;
};

Shapes matrix_shapes(const Operator& op) {
  const int64_t b = op.batch, m = op.m, n = op.n, k = op.k;
  return {.input = op.transpose_a ? std::vector{b, k, m} : std::vector{b, m, k},
          .weight = op.transpose_b ? std::vector{b, n, k} : std::vector{b, k, n},
          .bias = {n},
          .output = {b, m, n}};
}

Shapes convolution_shapes(const Operator& op) {
  const bool transposed = is_transposed(op.kind);
  Shapes shapes{.input = {op.batch, op.in_channels},
                .weight = {op.out_channels, op.in_channels / op.groups},
                .bias = {op.out_channels},
                .output = {op.batch, op.out_channels}};
  if (transposed) shapes.weight = {op.in_channels, op.out_channels / op.groups};
  for (const SpatialAxis& axis : op.spatial) {
    shapes.input.push_back(axis.extent);
    shapes.weight.push_back(axis.kernel);
    shapes.output.push_back(output_extent(axis, transposed));
  }
  return shapes;
}

Shapes written_shapes(const WrittenSum& sum) {
  Shapes shapes{sum.input_shape, sum.weight_shape, {}, output_shape(sum)};
  if (const int axis = bias_axis(sum); axis >= 0)
    shapes.bias = {shapes.output[static_cast<size_t>(axis)]};
  return shapes;
}

}  // namespace

std::vector<int64_t> logical_shape(const Operator& op, Operand operand) {
  Shapes shapes = op.kind == OperatorKind::custom ? written_shapes(*op.sum)
                  : is_matrix_product(op.kind)    ? matrix_shapes(op)
                                                  : convolution_shapes(op);
  switch (operand) {
    case Operand::input: return std::move(shapes.input);
    case Operand::weight: return std::move(shapes.weight);
    case Operand::bias: return std::move(shapes.bias);
    default: return std::move(shapes.output);
  }
}

double nominal_flops(const Operator& op) {
  return op.kind == OperatorKind::custom ? 2 * num_products(*op.sum) : flops(op, nominal_taps);
}
double real_tap_flops(const Operator& op) {
  return op.kind == OperatorKind::custom ? 2 * num_real_products(*op.sum) : flops(op, real_taps);
}

}  // namespace dovetail
