// SPDX-License-Identifier: Apache-2.0
#pragma once

// NodeRegion: the computation of a node of a graph, as the spec of a region (core/ir/region). It is
// parsed once, when a pass first asks for its value.
//
//   Softmax {axis=1} (x: f32[2,3])
//       M[a0,z]max=A[a0,a1];E[a0,a1]=exp(A[a0,a1]-M[a0,0]);…      given: x as A, made: y as Y
//   Split {axis=0} (x) -> p, q        Y[…]=A[…];Y1[…]=A[…]        made: p as Y, q as Y1
//   Reshape (x, shape)        only the shape changes: given x, no text
//   c2d:… (x, w, bias)        an operator with a spec: its spec; given as X, W, bias
//   NonZero (x)               reason: its output's shape depends on data
//
// Why text: users write it and logs are keyed by it, so that each part of a model can be shown,
// run, checked and tuned by itself, and the frontend is independent of computations' internals.
//
// To add an operator: a function in the file of its kind, declared in node_rules.h, and its name in
// onnx_operators.cc; its ONNX test cases then run in tests/onnx/onnx_nodes_slow_test.cc.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/operator/computation.h"
#include "core/ir/region/region_text.h"

namespace dovetail {

struct NodeRegion {
  using NamedTensors = std::vector<std::pair<std::string, TensorId>>;  // by the names of the spec
  RegionSpec spec;  // empty, without a reason: a view of the first given tensor
  NamedTensors given;
  NamedTensors made;   // the node's outputs that are not omitted
  std::string reason;  // why this version cannot compute the node; empty: it can
};

bool is_view(const NodeRegion& region);  // only the shape changes

// A node with the text of its region as an attribute, and inputs in the order of the text:
//   node n = elementwise Written {region="Y[a,b]=relu(A[a,b]*B[b]):a=4,b=8"} (x, w) -> y: f32[4,8]
inline constexpr std::string_view kWrittenNode = "Written", kWrittenRegion = "region";

// True if the region's tensor has the type and shape of the graph's; a region's scalar has rank 1.
bool is_same_tensor(const Tensor& of_region, const GraphTensor& of_graph);

// Fails for an attribute of the wrong type, or a view with another number of elements.
Result<NodeRegion> node_region(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
