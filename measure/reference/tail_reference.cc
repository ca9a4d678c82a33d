// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/tail_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ir/operator/computation.h"
#include "core/ir/value/walk.h"
#include "measure/reference/check_data.h"
#include "measure/reference/region_slices.h"

namespace dovetail {
namespace {

constexpr double kWideSums = 1e-4, kEpilogues = 4e-6;
constexpr const char* kSums = "P";  // name of no tensor of a tail

// The tail takes sums in f32, also for f16 operands.
Operator sums_in_f32(const Operator& op) {
  Operator sums = without_tail(op);
  sums.dtype = ElementType::f32;
  return sums;
}

// The tail as a separate computation on the finished sums.
Computation tail_of_sums(const Operator& op) {
  Computation c = define(op);
  const size_t first = c.reads.size() - op.tail->tensors.size();
  std::erase_if(c.axes, [](const Axis& axis) { return axis.reduction; });
  std::vector<Access> reads = {{kSums, c.output.indices}};
  reads.insert(reads.end(), c.reads.begin() + static_cast<ptrdiff_t>(first), c.reads.end());
  c.reads = std::move(reads);
  Tensor sums = tensor_named(c, c.output.tensor);
  sums.name = kSums;
  sums.type = ElementType::f32;
  c.tensors.push_back(std::move(sums));
  c.reducer = Reducer::none;
  c.result = Reduced{};
  c.element = with_reads(
      op.tail->value, [](int position) { return read_of(static_cast<size_t>(position) + 1); },
      read_of(0));
  return c;
}

BoundedTensor evaluated(const Computation& tail, BoundedTensor sums, const NamedArrays& inputs) {
  RegionValues made;
  made[kSums] = std::move(sums);
  return evaluate_computation(tail, inputs, made, {});
}

// The sums with errors of `part` of (their scale + `level`). As without a tail: an infinity must be
// found; where products of both signs overflow, any result is accepted.
BoundedTensor with_errors(const Reference& sums, double part, double level) {
  BoundedTensor tensor{.values = sums.values, .errors = {}};
  for (size_t i = 0; i < sums.values.size(); ++i) {
    const bool is_certain = !std::isfinite(sums.values.real(i));
    const double epilogue = sums.epilogue_scale.empty() ? 0 : kEpilogues * sums.epilogue_scale[i];
    tensor.errors.push_back(is_certain ? 0 : part * (sums.scale[i] + level) + epilogue);
  }
  return tensor;
}

double mean_of_finite(const std::vector<float>& scale) {
  double sum = 0, count = 0;
  for (const float value : scale) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

bool makes_steps(const OperatorTail& tail) {
  return computed_type(tail.type) != ComputedType::real ||
         any_node(tail.value, [](const Value& node) {
           const auto* whole = node.as<Cast>();
           const auto* rounding = node.as<Unary>();
           return (whole != nullptr && computed_type(whole->type) != ComputedType::real) ||
                  (rounding != nullptr && rounding->op == UnaryOp::floor);
         });
}

// The largest slope of the tail at the sums.
double gain_of(const Operator& op, const NamedArrays& inputs) {
  constexpr double kStepOverScale = 1e-4;
  const Reference sums = compute_reference(sums_in_f32(op), operands_of(inputs));
  const double step = kStepOverScale * mean_of_finite(sums.scale);
  if (step == 0) return 0;
  const Computation tail = tail_of_sums(op);
  const auto beside = [&](double distance) {
    std::vector<double> moved = reals_of(sums.values);
    for (double& value : moved) value += distance;
    std::vector<double> exact(moved.size());
    return evaluated(tail, {.values = std::move(moved), .errors = std::move(exact)}, inputs).values;
  };
  const NDArray above = beside(step), below = beside(-step);
  double gain = 0;
  for (size_t i = 0; i < above.size(); ++i)
    if (const double change = std::abs(above.real(i) - below.real(i)); std::isfinite(change))
      gain = std::max(gain, change / (2 * step));
  return gain;
}

// True for a divisor, or an argument of a root, a logarithm or a power.
bool is_kept_from_zero(const Value& tail, int tensor) {
  const auto reads = [&](const Value& part) {
    return any_node(part, [&](const Value& node) {
      const auto* read = node.as<ReadOf>();
      return read != nullptr && read->position == tensor;
    });
  };
  return any_node(tail, [&](const Value& node) {
    const auto* b = node.as<Binary>();
    const auto* u = node.as<Unary>();
    if (b != nullptr && b->op == BinaryOp::div) return reads(b->right);
    if (b != nullptr && b->op == BinaryOp::pow) return reads(node);
    const bool is_root = u != nullptr && (u->op == UnaryOp::log || u->op == UnaryOp::sqrt ||
                                          u->op == UnaryOp::rsqrt);
    return is_root && reads(u->operand);
  });
}

// Small integers are exact as floats.
float drawn(const TailTensor& tensor, bool positive, uint64_t random) {
  constexpr uint64_t kLargest = 7;
  const auto unit = static_cast<float>(static_cast<double>(random >> 40) * 0x1p-24);  // [0, 1)
  switch (computed_type(tensor.type)) {
    case ComputedType::integer: return static_cast<float>(random % (kLargest + 1));
    case ComputedType::boolean: return static_cast<float>(random >> 63);
    case ComputedType::real: break;
  }
  return positive ? 0.5F + unit : 2 * unit - 1;
}

}  // namespace

Reference reference_with_tail(const Operator& op, const NamedArrays& inputs, const SumBound& sums) {
  const Reference made = compute_reference(sums_in_f32(op), operands_of(inputs));
  const Computation tail = tail_of_sums(op);
  const double part = sums.error(static_cast<double>(products_per_output(op)));
  BoundedTensor direct = evaluated(tail, with_errors(made, part, 0), inputs);
  // An algorithm spreads errors over all sums of a tile: sums of small operands have them, too.
  const double wide = is_half(op.dtype) ? 4 * roundoff_of(op.dtype) : kWideSums;
  BoundedTensor entering = with_errors(made, wide, mean_of_finite(made.scale));
  const std::vector<float> wide_sums(entering.errors.begin(), entering.errors.end());
  BoundedTensor inexact = evaluated(tail, std::move(entering), inputs);
  double largest = 0;
  for (size_t i = 0; i < direct.values.size(); ++i)
    if (const double value = std::abs(direct.values.real(i)); std::isfinite(value))
      largest = std::max(largest, value);
  return {.values = std::move(direct.values),
          .scale = {static_cast<float>(largest)},
          .errors = std::move(direct.errors),
          .tail_sums = part,
          .wide_errors = std::move(inexact.errors),
          .wide_sums = wide_sums};
}

NDArray values_with_tail(const Operator& op, const NamedArrays& inputs) {
  NDArray sums = reference_values(sums_in_f32(op), operands_of(inputs));
  const size_t count = sums.size();
  return evaluated(tail_of_sums(op), {std::move(sums), std::vector<double>(count)}, inputs).values;
}

double tail_gain(const Region& region, const NamedArrays& inputs) {
  constexpr int64_t kElementsAtOnce = 1 << 14;
  constexpr size_t kMostSlices = 16;
  if (makes_steps(*region.op->tail)) return std::numeric_limits<double>::infinity();
  const std::vector<RegionSlice> slices = slices_of(region, kElementsAtOnce);
  const size_t step = (slices.size() + kMostSlices - 1) / kMostSlices;
  double gain = 0;
  for (size_t s = 0; s < slices.size(); s += step)
    gain = std::max(gain, gain_of(*slices[s].region.op, slices[s].of(inputs)));
  return gain;
}

NamedArrays make_tail_inputs(const Operator& op, uint64_t seed) {
  NamedArrays inputs;
  uint64_t stream = noise(seed, 5);  // after those of make_operands()
  const std::vector<TailTensor>& tensors = op.tail->tensors;
  for (size_t t = 0; t < tensors.size(); ++t) {
    const bool positive = is_kept_from_zero(op.tail->value, static_cast<int>(t));
    const std::vector<int64_t> shape = tail_shape(op, tensors[t]);
    stream = noise(stream, 2);
    std::vector<float> values(static_cast<size_t>(num_elements(shape)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = drawn(tensors[t], positive, noise(stream, i));
    inputs[tensors[t].name] = converted(values, tensors[t].type).reshaped(shape);
  }
  return inputs;
}

}  // namespace dovetail
