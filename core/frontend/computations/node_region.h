// SPDX-License-Identifier: Apache-2.0
#pragma once

// NodeRegion: what a node of a graph computes, as the text of a region (core/ir/region).
//
//   Softmax {axis=1} (x: f32[2,3])
//       M[a0,z]max=A[a0,a1];E[a0,a1]=exp(A[a0,a1]-M[a0,0]);…      given: x as A, made: y as Y
//   Split {axis=0} (x) -> p, q        Y[…]=A[…];Y1[…]=A[…]        made: p as Y, q as Y1
//   Reshape (x, shape)        only the shape changes: given x, no text
//   c2d:… (x, w, bias)        an operator with a spec: its spec; given as X, W, bias
//   NonZero (x)               reason: its output's shape depends on data
//
// Why text: it is what users write and logs are keyed by, so that whatever a model computes can be
// shown, run, checked and tuned by itself, and the frontend knows nothing of computations' insides.
//
// To add an operator: a function in the file of its kind, declared in node_rules.h, a row in
// node_region.cc; ONNX's own cases of it are tests then (tests/onnx/onnx_nodes_slow_test.cc).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/operator/computation.h"

namespace dovetail {

struct NodeRegion {
  using NamedTensors = std::vector<std::pair<std::string, TensorId>>;  // by the names of the text
  std::string text;  // empty, without a reason: the first given, in another shape
  NamedTensors given;
  NamedTensors made;   // the node's outputs that are there
  std::string reason;  // why this version computes no such node; empty: it does
};

bool is_view(const NodeRegion& region);  // only the shape changes

// A node that says itself what it computes, its inputs in the order in which the text names them:
//   node n = elementwise Written {region="Y[a,b]=relu(A[a,b]*B[b]):a=4,b=8"} (x, w) -> y: f32[4,8]
inline constexpr std::string_view kWrittenNode = "Written", kWrittenRegion = "region";

// A region's tensor holds the elements of the graph's: a single number has an axis of one there.
bool is_same_tensor(const Tensor& of_region, const GraphTensor& of_graph);

// The error is an attribute of another type than ONNX says.
Result<NodeRegion> node_region(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
