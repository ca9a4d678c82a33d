// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes nodes and constants of an ONNX message, for passes that replace nodes by others.
//
//   make_node("Gather", {"x", "i"}, "y", {{"axis", 1}})
//   whole_tensor("i", {3}, true)          the number 3; without `true` a list of one

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace onnx {
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace dovetail {

using WholeAttributes = std::vector<std::pair<std::string, int64_t>>;

onnx::NodeProto make_node(const std::string& type, const std::vector<std::string>& inputs,
                          const std::string& output, const WholeAttributes& attributes = {});
onnx::TensorProto whole_tensor(const std::string& name, const std::vector<int64_t>& numbers,
                               bool is_scalar = false);
onnx::TensorProto truth_tensor(const std::string& name, bool truth);

// Adds an Unsqueeze, whose axes were an attribute before operator set 13 and are an input since.
void add_unsqueeze(std::vector<onnx::NodeProto>& nodes,
                   std::vector<onnx::TensorProto>& initializers, int64_t opset,
                   const std::string& input, const std::string& output, int64_t axis);

int64_t whole_attribute(const onnx::NodeProto& node, const std::string& name, int64_t otherwise);
// `count` zeros if the node has none.
std::vector<int64_t> whole_attributes(const onnx::NodeProto& node, const std::string& name,
                                      size_t count);

}  // namespace dovetail
