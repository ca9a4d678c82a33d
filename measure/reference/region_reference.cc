// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_reference.h"

#include <algorithm>
#include <cmath>

#include "core/ir/value/walk.h"
#include "measure/reference/operands.h"

namespace dovetail {
namespace {

bool wants_positive(const Region& region) {
  const auto has_root = [](const Value& node) {
    const auto* u = node.as<Unary>();
    const auto* b = node.as<Binary>();
    return (u != nullptr &&
            (u->op == UnaryOp::log || u->op == UnaryOp::sqrt || u->op == UnaryOp::rsqrt)) ||
           (b != nullptr && b->op == BinaryOp::pow);
  };
  return std::ranges::any_of(region.computations, [&](const NamedComputation& named) {
    return any_node(named.computation.element, has_root) ||
           any_node(named.computation.result, has_root);
  });
}

// Largest value of an integer tensor: the last index that it chooses, else 7.
int64_t largest_integer(const Region& region, const std::string& tensor) {
  int64_t largest = 7;
  for (const NamedComputation& named : region.computations) {
    for (const GatherIndex& index : named.computation.gathers) {
      const bool reads = any_node(index.value, [&](const Value& node) {
        const auto* r = node.as<ReadOf>();
        return r != nullptr &&
               named.computation.reads[static_cast<size_t>(r->position)].tensor == tensor;
      });
      if (reads) largest = index.extent - 1;
    }
  }
  return largest;
}

// Draws a tensor's numbers by position.
template <typename Number, typename Draw>
NDArray drawn(const Tensor& tensor, const Draw& draw) {
  const std::vector<int64_t> shape = shape_of(tensor);
  std::vector<Number> numbers;
  for (size_t i = 0; i < static_cast<size_t>(num_elements(shape)); ++i)
    numbers.push_back(static_cast<Number>(draw(i)));
  return converted(numbers, tensor.type).reshaped(shape);
}

}  // namespace

NamedArrays make_region_inputs(const Region& region, uint64_t seed) {
  NamedArrays inputs;
  const bool positive = wants_positive(region);
  uint64_t stream = noise(seed, 1);
  for (const Tensor& tensor : given_tensors(region)) {
    const auto values = static_cast<uint64_t>(largest_integer(region, tensor.name) + 1);
    stream = noise(stream, 2);
    NDArray& input = inputs[tensor.name];
    switch (computed_type(tensor.type)) {
      case ComputedType::real:
        input = drawn<float>(tensor, [&](size_t i) {
          const auto unit =
              static_cast<float>(static_cast<double>(noise(stream, i) >> 40) * 0x1p-24);  // [0, 1)
          return positive ? 0.5F + unit : 2 * unit - 1;
        });
        break;
      case ComputedType::integer:
        input = drawn<int64_t>(tensor, [&](size_t i) { return noise(stream, i) % values; });
        break;
      case ComputedType::boolean:
        input = drawn<int64_t>(tensor, [&](size_t i) { return noise(stream, i) >> 63; });
        break;
    }
  }
  return inputs;
}

bool agrees(double found, double expected, double error) {
  constexpr double kLeast = 1e-30;  // absorbs subnormal numbers
  if (std::isinf(error)) return true;
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= error + kLeast;
}

RegionValues evaluate_region(const Region& region, const NamedArrays& inputs,
                             const SumBound& sums) {
  RegionValues made;
  for (const NamedComputation& named : region.computations) {
    BoundedTensor tensor = evaluate_computation(named.computation, inputs, made, sums);
    made[named.computation.output.tensor] = std::move(tensor);
  }
  return made;
}

}  // namespace dovetail
