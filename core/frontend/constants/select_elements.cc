// SPDX-License-Identifier: Apache-2.0
// Rules of nodes that select elements of a constant, or combine several constants.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/constants/element_order.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::constant_rules {
namespace {

// The part of one axis that a Slice selects.
struct AxisPart {
  int64_t first = 0, step = 1, count = 0;
};

// ONNX's rule: from the end where negative, clamped to the axis.
AxisPart part_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto from_end = [&](int64_t number) { return number < 0 ? number + extent : number; };
  const int64_t least = step > 0 ? 0 : -1;
  const int64_t first = std::clamp(from_end(start), int64_t{0}, step > 0 ? extent : extent - 1);
  const int64_t last = std::clamp(from_end(end), least, extent);
  const int64_t distance = step > 0 ? last - first : first - last;
  const int64_t stride = step > 0 ? step : -(step + 1) + 1;
  const int64_t count = distance <= 0 ? 0 : (distance - 1) / stride + 1;
  return {.first = first, .step = step, .count = extent == 0 ? 0 : count};
}

Result<std::optional<size_t>> axis_attribute(const ConstantCall& call, int64_t otherwise,
                                             size_t rank) {
  const int64_t axis = TRY(integer_attribute(call.node, "axis", otherwise));
  return axis_of(axis, rank);
}

// The only element of an integer tensor, or of a real one if it is a whole number.
std::optional<int64_t> one_whole_number(const GraphTensor& tensor) {
  if (tensor.data->size() != 1) return std::nullopt;
  if (tensor.data->type() == ElementType::i64) return tensor.data->integer(0);
  constexpr double kExact = 1 << 24;
  const double number = tensor.data->real(0);
  const bool whole = std::abs(number) <= kExact && std::floor(number) == number;
  return whole ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

}  // namespace

Result<ConstantOutputs> slice(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const auto starts = TRY(numbers_of(call, "starts", 1));
  const auto ends = TRY(numbers_of(call, "ends", 2));
  if (!starts || !ends || starts->size() != ends->size()) return ConstantOutputs();
  std::vector<int64_t> all(starts->size());
  std::iota(all.begin(), all.end(), int64_t{0});
  const std::vector<int64_t> axes = TRY(numbers_of(call, "axes", 3)).value_or(all);
  const std::vector<int64_t> strides =
      TRY(numbers_of(call, "steps", 4)).value_or(std::vector<int64_t>(all.size(), 1));
  if (axes.size() != all.size() || strides.size() != all.size()) return ConstantOutputs();
  Extents shape = *data.shape;
  std::vector<int64_t> steps = row_major_steps(shape);
  int64_t first = 0;
  std::vector<bool> cut(shape.size(), false);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axis_of(axes[i], shape.size());
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    if (!axis || cut[*axis] || strides[i] == 0 || strides[i] == kLeast) return ConstantOutputs();
    cut[*axis] = true;
    const AxisPart part = part_of(shape[*axis], (*starts)[i], (*ends)[i], strides[i]);
    first += part.first * steps[*axis];
    shape[*axis] = part.count;
    if (part.count > 1) steps[*axis] *= part.step;
  }
  if (num_elements(shape) == 0) return one_output(taken(data, shape, {}));
  return one_output(taken(data, shape, elements_at(shape, steps, first)));
}

Result<ConstantOutputs> gather(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const GraphTensor* const indices = call.input(1);
  const auto axis = TRY(axis_attribute(call, 0, data.shape->size()));
  if (!axis || indices == nullptr || !has_integers(*indices)) return ConstantOutputs();
  const Extents& from = *data.shape;
  const auto at = static_cast<std::ptrdiff_t>(*axis);
  Extents shape(from.begin(), from.begin() + at);
  shape.insert(shape.end(), indices->shape->begin(), indices->shape->end());
  shape.insert(shape.end(), from.begin() + at + 1, from.end());
  TRY(check_size(call, shape));
  const int64_t inner = row_major_steps(from)[*axis];
  const int64_t block = inner * from[*axis];
  std::vector<int64_t> elements;
  elements.reserve(static_cast<size_t>(num_elements(shape)));
  for (int64_t outer = 0; block > 0 && outer < num_elements(from); outer += block) {
    for (const int64_t number : indices->data->as<int64_t>()) {
      const auto index = position_of(number, from[*axis]);
      if (!index) return ConstantOutputs();
      for (int64_t i = 0; i < inner; ++i) elements.push_back(outer + *index * inner + i);
    }
  }
  if (std::ssize(elements) != num_elements(shape)) return ConstantOutputs();
  return one_output(taken(data, std::move(shape), elements));
}

Result<ConstantOutputs> gather_elements(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const GraphTensor* const indices = call.input(1);
  const auto axis = TRY(axis_attribute(call, 0, data.shape->size()));
  if (!axis || indices == nullptr || !has_integers(*indices)) return ConstantOutputs();
  const Extents& shape = *indices->shape;
  if (shape.size() != data.shape->size()) return ConstantOutputs();
  for (size_t i = 0; i < shape.size(); ++i)
    if (i != *axis && shape[i] > (*data.shape)[i]) return ConstantOutputs();
  return by_region(call, data.type, shape);
}

Result<ConstantOutputs> gather_nd(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const GraphTensor* const indices = call.input(1);
  const int64_t batch = TRY(integer_attribute(call.node, "batch_dims", 0));
  if (batch != 0 || indices == nullptr || !has_integers(*indices)) return ConstantOutputs();
  if (indices->shape->empty()) return ConstantOutputs();
  const int64_t depth = indices->shape->back();
  if (depth < 1 || depth > std::ssize(*data.shape)) return ConstantOutputs();
  Extents shape(indices->shape->begin(), indices->shape->end() - 1);
  shape.insert(shape.end(), data.shape->begin() + depth, data.shape->end());
  return by_region(call, data.type, shape);
}

Result<ConstantOutputs> concat(const ConstantCall& call) {
  const GraphTensor& first = *call.inputs[0];
  const auto axis = TRY(axis_attribute(call, 0, first.shape->size()));
  if (!axis) return ConstantOutputs();
  Extents shape = *first.shape;
  shape[*axis] = 0;
  for (const GraphTensor* part : call.inputs) {
    if (part == nullptr || part->type != first.type) return ConstantOutputs();
    Extents rest = *part->shape;
    if (rest.size() != shape.size()) return ConstantOutputs();
    const int64_t extent = std::exchange(rest[*axis], shape[*axis]);
    if (rest != shape) return ConstantOutputs();
    shape[*axis] += extent;
  }
  TRY(check_size(call, shape));
  const auto front = shape.begin() + static_cast<std::ptrdiff_t>(*axis);
  const int64_t rows = num_elements({shape.begin(), front});
  return with_elements(*first.data, [&]<typename Number>(std::span<const Number>) {
    std::vector<Number> joined;
    for (int64_t row = 0; row < rows; ++row) {
      for (const GraphTensor* part : call.inputs) {
        const auto from = part->data->as<Number>();
        const int64_t length = std::ssize(from) / rows;
        joined.insert(joined.end(), from.begin() + row * length, from.begin() + (row + 1) * length);
      }
    }
    return one_output(new_constant(first.type, std::move(shape), std::move(joined)));
  });
}

Result<ConstantOutputs> split(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const auto axis = TRY(axis_attribute(call, 0, data.shape->size()));
  if (!axis) return ConstantOutputs();
  const int64_t extent = (*data.shape)[*axis];
  const auto parts = static_cast<int64_t>(call.num_outputs);
  const int64_t each = (extent + parts - 1) / std::max<int64_t>(parts, 1);
  std::vector<int64_t> lengths(call.num_outputs, each);
  if (!lengths.empty()) lengths.back() = extent - each * (parts - 1);
  if (const auto given = TRY(numbers_of(call, "split", 1))) lengths = *given;
  const bool fits =
      std::ssize(lengths) == parts &&
      std::ranges::all_of(lengths, [&](int64_t n) { return n >= 0 && n <= extent; }) &&
      std::accumulate(lengths.begin(), lengths.end(), int64_t{0}) == extent;
  if (!fits) return ConstantOutputs();
  const std::vector<int64_t> steps = row_major_steps(*data.shape);
  std::vector<GraphTensor> outputs;
  int64_t first = 0;
  for (const int64_t length : lengths) {
    Extents shape = *data.shape;
    shape[*axis] = length;
    outputs.push_back(taken(data, shape, elements_at(shape, steps, first)));
    first += length * steps[*axis];
  }
  return ConstantOutputs(std::move(outputs));
}

// The second of two values where the position along a new axis equals the index, counted from the
// end if negative; the first elsewhere.
Result<ConstantOutputs> one_hot(const ConstantCall& call) {
  const GraphTensor& indices = *call.inputs[0];
  const auto depth = call.input(1) == nullptr ? std::nullopt : one_whole_number(*call.input(1));
  const GraphTensor* const values = call.input(2);
  const auto axis = TRY(axis_attribute(call, -1, indices.shape->size() + 1));
  const bool whole = depth && *depth > 0 && has_integers(indices);
  if (!whole || !axis || values == nullptr || num_elements(*values->shape) != 2)
    return ConstantOutputs();
  Extents shape = *indices.shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*axis), *depth);
  return by_region(call, values->type, shape);
}

Result<ConstantOutputs> non_zero(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const Extents& shape = *data.shape;
  if (shape.empty()) return ConstantOutputs();
  std::vector<int64_t> found;
  const ArrayView numbers = *data.data;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers.real(i) != 0) found.push_back(static_cast<int64_t>(i));
  const std::vector<int64_t> steps = row_major_steps(shape);
  std::vector<int64_t> indices;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    for (const int64_t element : found) indices.push_back(element / steps[axis] % shape[axis]);
  return one_output(new_constant(ElementType::i64,
                                 {static_cast<int64_t>(shape.size()), std::ssize(found)},
                                 std::move(indices)));
}

}  // namespace dovetail::constant_rules
