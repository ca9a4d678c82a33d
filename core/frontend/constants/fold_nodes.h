// SPDX-License-Identifier: Apache-2.0
#pragma once

// fold_node: a node of a graph that reads constants only becomes constants.
//
//   w = DequantizeLinear (wq, scale, zero);  Conv (x, w)        becomes    Conv (x, w), w constant
//
// Any operator that a region says (computations/node_region.h) is folded, one with a spec, too: a
// quantizer's weights, weight norms, and whatever else exporters leave to the engine. What would
// take too long stays, and is computed when the network runs.

#include <cstdint>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// What a model's folding may still do in all: an element takes some 20 ns.
struct FoldingEffort {
  int64_t steps = int64_t{1} << 29;
  int64_t elements = int64_t{1} << 27;
};

// The node's outputs are constants of the graph afterwards; false: it has to stay.
Result<bool> fold_node(Graph& graph, const GraphNode& node, FoldingEffort& effort);

}  // namespace dovetail
