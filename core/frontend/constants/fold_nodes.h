// SPDX-License-Identifier: Apache-2.0
#pragma once

// fold_node: replaces a node of a graph that reads only constants by constants.
//
//   w = DequantizeLinear (wq, scale, zero);  Conv (x, w)        becomes    Conv (x, w), w constant
//
// Folds any operator that a region expresses (computations/node_region.h), also one with a spec:
// quantized weights, weight norms, and other constants that exporters leave to the engine. Nodes
// that would take too long stay, and are computed when the network runs.

#include <cstdint>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// The remaining effort for folding a whole model; an element computed takes some 20 ns.
struct FoldingEffort {
  int64_t steps = int64_t{1} << 29;
  int64_t elements = int64_t{1} << 27;
};

// True if the node's outputs are constants of the graph now; false if it must stay.
Result<bool> fold_node(Graph& graph, const GraphNode& node, FoldingEffort& effort);

}  // namespace dovetail
