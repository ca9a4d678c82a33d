// SPDX-License-Identifier: Apache-2.0
#pragma once

// inline_body: the body of an If, a Loop or a Scan as nodes of the graph around it.
//
//   If (c) {then: o = Relu (x)} -> y        inlined as "y/then":
//   y/then/o = Relu (x)                     and {"y/then/o"}, what the body gives
//
// Names that a body defines get a prefix, since both branches of an If, and every iteration of a
// loop, define the same ones. Names that a body reads from outside stay.
//
// Why on the ONNX message: once a body's nodes are in the graph, shape inference and folding handle
// them like any other nodes.

#include <set>
#include <string>
#include <vector>

namespace onnx {
class GraphProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace dovetail {

struct InlinedBody {
  std::vector<onnx::NodeProto> nodes;
  std::vector<onnx::TensorProto> initializers;
  std::vector<std::string> outputs;  // in the body's order
};

// `inputs`: the outer names of the body's inputs, in its order.
InlinedBody inline_body(const onnx::GraphProto& body, const std::string& prefix,
                        const std::vector<std::string>& inputs);

// The body in the node's attribute; null if it has none, or one that cannot be inlined.
const onnx::GraphProto* body_of(const onnx::NodeProto& node, const std::string& attribute);

// Adds the names that a node's bodies read and that may come from the enclosing graph.
void collect_captures(const onnx::NodeProto& node, std::set<std::string>& names);

// The label of a node in messages: its name, or its type if it has none.
std::string label_of(const onnx::NodeProto& node);

}  // namespace dovetail
