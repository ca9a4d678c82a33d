// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which elements of a constant are read: for each element of a result, in row-major
// order, the flat index of its source element.
//
//   transposed [2,3]:   elements_at({3, 2}, {1, 3})      0 3 1 4 2 5
//   every second of 6:  elements_at({3}, {2})            0 2 4
//   [3] over [2,3]:     elements_at({2, 3}, {0, 1})      0 1 2 0 1 2
//
// Why: Transpose, Slice, Expand and elementwise broadcasting then share one loop.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ir/graph/graph.h"

namespace dovetail {

using Extents = std::vector<int64_t>;

// `steps`: the stride in the source for each axis of `shape`; `first`: the first element's index.
std::vector<int64_t> elements_at(const Extents& shape, const std::vector<int64_t>& steps,
                                 int64_t first = 0);

// The strides of a row-major tensor.
std::vector<int64_t> row_major_steps(const Extents& shape);

// The strides, 0 in repeated axes, of a tensor of `shape` that is broadcast to `over`.
std::vector<int64_t> broadcast_steps(const Extents& shape, const Extents& over);

// The shape that all broadcast to, by numpy's rule; nullopt if they do not.
std::optional<Extents> broadcast_shape(std::span<const Extents> shapes);

// A new constant of these elements of `from`.
GraphTensor taken(const GraphTensor& from, Extents shape, const std::vector<int64_t>& elements);

}  // namespace dovetail
