// SPDX-License-Identifier: Apache-2.0
#pragma once

// NamedElements: the input of a node that holds indices into another input, and the extents of the
// indexed axes.
//
//   Gather {axis=1} (x: f32[4,8], i)      indices i, extents {8}
//   GatherND (x: f32[4,8], i: [5,2])      indices i, extents {4, 8}: one after the other
//
// An index out of range is an error in ONNX, but kernels clamp it. So an import checks the indices
// that are constant, and `run` checks all others before the kernels.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

struct NamedElements {
  TensorId indices = kNoTensor;
  std::vector<int64_t> extents;  // extents[i % extents.size()] is that of the i-th index
};

std::optional<NamedElements> named_elements(const Graph& graph, const GraphNode& node);

// Fails with one line for an index out of range.
Result<void> check_index(const GraphNode& node, int64_t number, int64_t extent);

template <typename Numbers>
Result<void> check_indices(const GraphNode& node, const NamedElements& named,
                           const Numbers& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<int64_t>(numbers[i]);
    const int64_t extent = named.extents[i % named.extents.size()];
    if (number < -extent || number >= extent) return check_index(node, number, extent);
  }
  return {};
}

}  // namespace dovetail
