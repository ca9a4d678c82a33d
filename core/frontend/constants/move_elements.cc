// SPDX-License-Identifier: Apache-2.0
// Rules of nodes that keep all elements of a constant, repeat them, or make them from a shape.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/fail.h"
#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/constants/element_order.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::constant_rules {
namespace {

// The same elements in another shape; their numbers are shared.
ConstantOutputs reshaped(const GraphTensor& tensor, Extents shape) {
  if (num_elements(shape) != num_elements(*tensor.shape)) return std::nullopt;
  return one_output(new_constant(tensor.type, std::move(shape), *tensor.data));
}

// The axes of `rank` with these numbers; nullopt if one is out of range or a duplicate.
std::optional<std::vector<bool>> marked(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<bool> found(rank, false);
  for (const int64_t number : axes) {
    const auto axis = axis_of(number, rank);
    if (!axis || found[*axis]) return std::nullopt;
    found[*axis] = true;
  }
  return found;
}

}  // namespace

Result<ConstantOutputs> reshape(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const auto wanted = TRY(numbers_of(call, "shape", 1));
  if (!wanted) return ConstantOutputs();
  const bool keeps_zero = TRY(integer_attribute(call.node, "allowzero", 0)) != 0;
  Extents shape = *wanted;
  int64_t known = 1;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 0 && !keeps_zero) {
      if (axis >= data.shape->size()) return ConstantOutputs();
      shape[axis] = (*data.shape)[axis];
    }
    if (shape[axis] < -1) return ConstantOutputs();
    if (shape[axis] == -1) continue;
    if (shape[axis] > kMaxTensorElements / std::max<int64_t>(known, 1)) return ConstantOutputs();
    known *= shape[axis];
  }
  const auto unknown = std::ranges::count(shape, -1);
  if (unknown > 1 || (unknown == 1 && known == 0)) return ConstantOutputs();
  std::ranges::replace(shape, -1, unknown == 1 ? num_elements(*data.shape) / known : 0);
  return reshaped(data, std::move(shape));
}

Result<ConstantOutputs> flatten(const ConstantCall& call) {
  const Extents& shape = *call.inputs[0]->shape;
  const int64_t number = TRY(integer_attribute(call.node, "axis", 1));
  const auto rank = static_cast<int64_t>(shape.size());
  if (number < -rank || number > rank) return ConstantOutputs();
  const auto middle = shape.begin() + (number < 0 ? number + rank : number);
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, int64_t{1}, std::multiplies<>());
  };
  return reshaped(*call.inputs[0], {product(shape.begin(), middle), product(middle, shape.end())});
}

Result<ConstantOutputs> squeeze(const ConstantCall& call) {
  const Extents& shape = *call.inputs[0]->shape;
  const auto axes = TRY(numbers_of(call, "axes", 1));
  const auto gone = axes ? marked(*axes, shape.size()) : std::vector<bool>(shape.size(), true);
  if (!gone) return ConstantOutputs();
  Extents left;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (!(*gone)[axis] || (!axes && shape[axis] != 1)) left.push_back(shape[axis]);
  return reshaped(*call.inputs[0], std::move(left));
}

Result<ConstantOutputs> unsqueeze(const ConstantCall& call) {
  const Extents& shape = *call.inputs[0]->shape;
  const auto axes = TRY(numbers_of(call, "axes", 1));
  if (!axes) return ConstantOutputs();
  const auto added = marked(*axes, shape.size() + axes->size());
  if (!added) return ConstantOutputs();
  Extents all;
  auto next = shape.begin();
  for (const bool is_new : *added) all.push_back(is_new ? 1 : *next++);
  return reshaped(*call.inputs[0], std::move(all));
}

Result<ConstantOutputs> identity(const ConstantCall& call) {
  return reshaped(*call.inputs[0], *call.inputs[0]->shape);
}

Result<ConstantOutputs> transpose(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const size_t rank = data.shape->size();
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), int64_t{0});
  const std::vector<int64_t> order =
      TRY(integers_attribute(call.node, "perm", {axes.rbegin(), axes.rend()}));
  if (!std::ranges::is_permutation(order, axes))
    return fail("attribute perm of node {} is [{}]; expected each axis 0 to {} once",
                call.node.name, fmt::join(order, ","), static_cast<int64_t>(rank) - 1);
  const std::vector<int64_t> own = row_major_steps(*data.shape);
  Extents shape, steps;
  for (const int64_t axis : order) {
    shape.push_back((*data.shape)[static_cast<size_t>(axis)]);
    steps.push_back(own[static_cast<size_t>(axis)]);
  }
  const std::vector<int64_t> elements = elements_at(shape, steps);
  return one_output(taken(data, std::move(shape), elements));
}

Result<ConstantOutputs> expand(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const auto wanted = TRY(numbers_of(call, "shape", 1));
  if (!wanted) return ConstantOutputs();
  const auto shape = broadcast_shape(std::vector{*data.shape, *wanted});
  if (!shape) return ConstantOutputs();
  TRY(check_size(call, *shape));
  return one_output(taken(data, *shape, elements_at(*shape, broadcast_steps(*data.shape, *shape))));
}

Result<ConstantOutputs> tile(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const auto repeats = TRY(numbers_of(call, "repeats", 1));
  if (!repeats || repeats->size() != data.shape->size()) return ConstantOutputs();
  // Each axis becomes two: the repetition, and the position in it.
  const std::vector<int64_t> own = row_major_steps(*data.shape);
  Extents shape, parts, steps;
  for (size_t axis = 0; axis < repeats->size(); ++axis) {
    const int64_t extent = (*data.shape)[axis];
    TRY(check_size(call, {(*repeats)[axis], extent}));
    shape.push_back((*repeats)[axis] * extent);
    parts.insert(parts.end(), {(*repeats)[axis], extent});
    steps.insert(steps.end(), {0, own[axis]});
  }
  TRY(check_size(call, shape));
  return one_output(taken(data, std::move(shape), elements_at(parts, steps)));
}

Result<ConstantOutputs> constant_of_shape(const ConstantCall& call) {
  if (!has_integers(*call.inputs[0])) return ConstantOutputs();
  const Extents shape = integers_of(*call.inputs[0]->data);
  TRY(check_size(call, shape));
  const auto count = static_cast<size_t>(num_elements(shape));
  const auto value = call.node.attributes.find("value");
  if (value != call.node.attributes.end() && std::holds_alternative<int64_t>(value->second))
    return one_output(new_constant(ElementType::i64, shape,
                                   std::vector(count, std::get<int64_t>(value->second))));
  const double number = TRY(number_attribute(call.node, "value", 0));
  return one_output(
      new_constant(ElementType::f32, shape, std::vector(count, static_cast<float>(number))));
}

Result<ConstantOutputs> range(const ConstantCall& call) {
  for (size_t i = 0; i < 3; ++i)
    if (call.input(i) == nullptr || num_elements(*call.input(i)->shape) != 1)
      return ConstantOutputs();
  const GraphTensor& start = *call.inputs[0];
  const bool whole = has_integers(start);
  const auto number = [&](size_t i) { return call.inputs[i]->data->real(0); };
  for (size_t i = 1; i < 3; ++i)
    if (has_integers(*call.inputs[i]) != whole) return ConstantOutputs();
  const double step = number(2);
  const double count = std::max(0.0, std::ceil((number(1) - number(0)) / step));
  if (step == 0 || !(count <= static_cast<double>(kMaxTensorElements))) return ConstantOutputs();
  const auto elements = static_cast<int64_t>(count);
  TRY(check_size(call, {elements}));
  const auto counted = [&](auto first, auto by) {
    std::vector<decltype(first)> numbers;
    for (int64_t i = 0; i < elements; ++i)
      numbers.push_back(first + static_cast<decltype(by)>(i) * by);
    return one_output(new_constant(start.type, {elements}, converted(numbers, start.data->type())));
  };
  return whole ? counted(start.data->integer(0), call.inputs[2]->data->integer(0))
               : counted(number(0), step);
}

}  // namespace dovetail::constant_rules
