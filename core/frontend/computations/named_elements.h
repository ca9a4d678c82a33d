// SPDX-License-Identifier: Apache-2.0
#pragma once

// NamedElements: which of a node's inputs names elements of another by their numbers, and how many
// there are to name.
//
//   Gather {axis=1} (x: f32[4,8], i)      indices i, extents {8}
//   GatherND (x: f32[4,8], i: [5,2])      indices i, extents {4, 8}: one after the other
//
// A number beyond its axis is an error in ONNX, and kernels take the nearest: so whoever knows the
// numbers checks them before, an import those that are constant, `run` all others.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

struct NamedElements {
  TensorId indices = kNoTensor;
  std::vector<int64_t> extents;  // of the i-th number: that at i modulo how many there are
};

std::optional<NamedElements> named_elements(const Graph& graph, const GraphNode& node);

// One line about a number that names nothing.
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
