// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/operands.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dovetail {
namespace {

constexpr int64_t kLargestInput = 4;
constexpr int64_t kLargestWeight = 2;
constexpr int64_t kLargestAddend = 8;
constexpr int64_t kExactIntegers = int64_t{1} << 24;  // f32 holds every integer up to here

float nonzero_integer(uint64_t random, int64_t largest) {
  const auto magnitude = static_cast<float>(1 + (random >> 1) % static_cast<uint64_t>(largest));
  return (random & 1) != 0 ? -magnitude : magnitude;
}

float unit_real(uint64_t random) {
  return static_cast<float>(static_cast<double>(random >> 40) * 0x1p-23 - 1.0);
}

struct Fill {
  DataKind kind;
  int64_t largest;  // for small integers
  float scale = 1;  // for reals
};

NDArray filled(const Operator& op, Operand operand, const Fill& fill, uint64_t stream) {
  const std::vector<int64_t> shape = logical_shape(op, operand);
  std::vector<float> values(static_cast<size_t>(num_elements(shape)));
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t random = noise(stream, i);
    values[i] = fill.kind == DataKind::small_integers ? nonzero_integer(random, fill.largest)
                                                      : fill.scale * unit_real(random);
  }
  const NDArray numbers = std::move(values);  // rounded: the reference must read what devices do
  return (op.dtype == ElementType::f32 ? numbers : converted(numbers, op.dtype)).reshaped(shape);
}

}  // namespace

bool rounds(const Epilogue& epilogue) {
  return epilogue.kind == EpilogueKind::gelu || epilogue.kind == EpilogueKind::silu ||
         epilogue.kind == EpilogueKind::sigmoid || epilogue.kind == EpilogueKind::tanh;
}

int64_t products_per_output(const Operator& op) {
  if (is_matrix_product(op.kind)) return op.k;
  if (op.sum) {
    int64_t summed = 1;
    for (size_t a = op.sum->num_output_axes; a < op.sum->axes.size(); ++a)
      summed *= op.sum->axes[a].extent;
    return summed;
  }
  int64_t count = op.in_channels / op.groups;
  for (const SpatialAxis& axis : op.spatial) count *= axis.kernel;
  return count;
}

bool is_exact_on_integers(const Operator& op) {
  if (op.dtype != ElementType::f32 || op.tail) return false;
  if (std::ranges::any_of(op.epilogues, rounds)) return false;
  const int64_t largest_sum = products_per_output(op) * kLargestInput * kLargestWeight;
  return largest_sum + 2 * kLargestAddend <= kExactIntegers;
}

Operands make_operands(const Operator& op, DataKind kind, uint64_t seed) {
  const auto weight_scale =
      static_cast<float>(std::sqrt(3.0 / static_cast<double>(products_per_output(op))));
  const auto stream = [&](uint64_t number) { return noise(seed, number); };
  Operands operands;
  operands.input = filled(op, Operand::input, {kind, kLargestInput}, stream(1));
  operands.weight =
      filled(op, Operand::weight, {kind, kLargestWeight, std::min(1.0F, weight_scale)}, stream(2));
  const Fill others{kind, kLargestAddend};
  if (has_epilogue(op, EpilogueKind::bias))
    operands.bias = filled(op, Operand::bias, others, stream(3));
  if (has_epilogue(op, EpilogueKind::add))
    operands.addend = filled(op, Operand::addend, others, stream(4));
  return operands;
}

}  // namespace dovetail
