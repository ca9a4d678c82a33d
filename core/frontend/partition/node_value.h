// SPDX-License-Identifier: Apache-2.0
#pragma once

// NodeValue: what an elementwise node computes for one element of its output, as a value.
//
//   y = PRelu (x: f32[1,8,5,5], slope: f32[8,1,1])
//       value   choose(less(read(0), 0), read(0) * read(1), read(0))
//       reads   x along the output's dimensions 1 2 3, slope along 1
//
// It is read from the text of the node's region, so that whatever has a rule in
// core/frontend/computations is known here, too. Dimensions of one element are none that a read
// goes along.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct NodeRead {
  TensorId tensor = kNoTensor;
  std::vector<size_t> dims;  // of the output, in order
  friend bool operator==(const NodeRead&, const NodeRead&) = default;
};

struct NodeValue {
  Value value;
  std::vector<NodeRead> reads;  // by position
};

// It is empty where the node is of another kind, reads what lies elsewhere, or its value depends on
// where the element is. The error is node_region()'s.
Result<std::optional<NodeValue>> value_of(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
