// SPDX-License-Identifier: Apache-2.0
#pragma once

// NodeRegion: what a node of a graph computes, as the text of a region (core/ir/region).
//
//   Softmax {axis=1} (x: f32[2,3])
//       M[a0,z]max=A[a0,a1];E[a0,a1]=exp(A[a0,a1]-M[a0,0]);…      given: x as A, made: Y
//   Reshape (x, shape)        only the shape changes: given x, no text
//   c2d:… (x, w, bias)        an operator with a spec: its spec; given as X, W, bias
//
// Why text: it is what users write and logs are keyed by, so that whatever a model computes can be
// shown, run, checked and tuned by itself, and the frontend knows nothing of computations' insides.
//
// To add an operator: a function in the file of its kind, a row in node_region.cc; ONNX's own cases
// of it are tests then (tests/core/frontend/node_region_test.cc).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

struct NodeRegion {
  std::string text;                                     // empty: the first given, in another shape
  std::vector<std::pair<std::string, TensorId>> given;  // by the names of the text
  std::string made = "Y";                               // what becomes the node's first output
};

// None: this version has no computation for the node, for its types or its attributes. The error
// is an attribute of another type than ONNX says.
Result<std::optional<NodeRegion>> node_region(const Graph& graph, const GraphNode& node);

}  // namespace dovetail
