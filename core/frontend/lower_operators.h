// SPDX-License-Identifier: Apache-2.0
#pragma once

// lower_operators: Conv, ConvTranspose, Gemm and MatMul get their spec.
//
//   Conv {kernel_shape=[3,3],pads=[1,1,1,1]} (x, w, b)  becomes  c2d:…,k=3,p=1+bias (x, w, b)
//   Gemm {alpha=0.5,transB=1} (a, w, c)                 becomes  gmm:…+bias (a, w/2 transposed, c)
//
// alpha and beta of Gemm and the transposition of a constant B go into the constants; an alpha or
// beta of activations becomes an elementwise Mul of its own. A node that no spec can say keeps its
// type and gets the attribute `not_tuned` with the reason. The error is a model that is wrong.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

Result<void> lower_operators(Graph& graph);

// The nodes that one node becomes; none, and why, if no spec can say it.
struct Lowering {
  std::vector<GraphNode> nodes;
  std::string reason;
};

// New constants are added to the graph; the node itself is not replaced yet.
Result<Lowering> lower_convolution(const Graph& graph, const GraphNode& node);
Result<Lowering> lower_gemm(Graph& graph, const GraphNode& node);
Result<Lowering> lower_matmul(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
