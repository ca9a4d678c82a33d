// SPDX-License-Identifier: Apache-2.0
#pragma once

// NodeValue: the computation of an elementwise node for one element of its output, as a value.
//
//   y = PRelu (x: f32[1,8,5,5], slope: f32[8,1,1])
//       value   choose(less(read(0), 0), read(0) * read(1), read(0))
//       reads   x along the output's dimensions 1 2 3, slope along 1
//
// It is derived from the text of the node's region, so that it covers every rule in
// core/frontend/computations. Reads have no dimensions of extent 1.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct NodeRead {
  TensorId tensor = kNoTensor;
  std::vector<size_t> dims;  // dimensions of the output, in order
  friend bool operator==(const NodeRead&, const NodeRead&) = default;
};

struct NodeValue {
  Value value;
  std::vector<NodeRead> reads;  // by position
};

// nullopt if the node is not elementwise, reads elements at other positions, or its value depends
// on the element's position. Fails as node_region() does.
Result<std::optional<NodeValue>> value_of(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
