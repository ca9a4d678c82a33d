// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/element_order.h"

#include <algorithm>

#include "core/frontend/graph_edit.h"

namespace dovetail {

std::vector<int64_t> elements_at(const Extents& shape, const std::vector<int64_t>& steps,
                                 int64_t first) {
  std::vector<int64_t> elements(static_cast<size_t>(num_elements(shape)));
  Extents index(shape.size(), 0);
  int64_t source = first;
  for (int64_t& element : elements) {
    element = source;
    for (size_t axis = shape.size(); axis-- > 0;) {
      source += steps[axis];
      if (++index[axis] < shape[axis]) break;
      source -= steps[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return elements;
}

std::vector<int64_t> row_major_steps(const Extents& shape) {
  std::vector<int64_t> steps(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * shape[axis];
  return steps;
}

std::vector<int64_t> broadcast_steps(const Extents& shape, const Extents& over) {
  const std::vector<int64_t> own = row_major_steps(shape);
  std::vector<int64_t> steps(over.size(), 0);
  const size_t missing = over.size() - shape.size();
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 1) steps[missing + axis] = own[axis];
  return steps;
}

std::optional<Extents> broadcast_shape(std::span<const Extents> shapes) {
  Extents all;
  for (const Extents& shape : shapes) {
    if (shape.size() > all.size()) all.insert(all.begin(), shape.size() - all.size(), 1);
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t& extent = all[all.size() - shape.size() + i];
      if (shape[i] == 1 || shape[i] == extent) continue;
      if (extent != 1) return std::nullopt;
      extent = shape[i];
    }
  }
  return all;
}

GraphTensor taken(const GraphTensor& from, Extents shape, const std::vector<int64_t>& elements) {
  return with_elements(*from.data, [&]<typename Number>(std::span<const Number> source) {
    std::vector<Number> target;
    target.reserve(elements.size());
    for (const int64_t element : elements) target.push_back(source[static_cast<size_t>(element)]);
    return new_constant(from.type, std::move(shape), std::move(target));
  });
}

}  // namespace dovetail
