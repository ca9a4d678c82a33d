// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/node_writer.h"

#include <onnx/onnx_pb.h>

namespace dovetail {

onnx::NodeProto make_node(const std::string& type, const std::vector<std::string>& inputs,
                          const std::string& output, const WholeAttributes& attributes) {
  onnx::NodeProto node;
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  for (const auto& [name, number] : attributes) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(number);
  }
  return node;
}

onnx::TensorProto whole_tensor(const std::string& name, const std::vector<int64_t>& numbers,
                               bool is_scalar) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  if (!is_scalar) tensor.add_dims(static_cast<int64_t>(numbers.size()));
  for (const int64_t number : numbers) tensor.add_int64_data(number);
  return tensor;
}

onnx::TensorProto truth_tensor(const std::string& name, bool truth) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::BOOL);
  tensor.add_int32_data(truth ? 1 : 0);
  return tensor;
}

void add_unsqueeze(std::vector<onnx::NodeProto>& nodes,
                   std::vector<onnx::TensorProto>& initializers, int64_t opset,
                   const std::string& input, const std::string& output, int64_t axis) {
  constexpr int64_t kAxesAreInput = 13;
  onnx::NodeProto node = make_node("Unsqueeze", {input}, output);
  if (opset >= kAxesAreInput) {
    initializers.push_back(whole_tensor(output + "/axes", {axis}));
    node.add_input(initializers.back().name());
  } else {
    auto& attribute = *node.add_attribute();
    attribute.set_name("axes");
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.add_ints(axis);
  }
  nodes.push_back(std::move(node));
}

int64_t whole_attribute(const onnx::NodeProto& node, const std::string& name, int64_t otherwise) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return attribute.i();
  return otherwise;
}

std::vector<int64_t> whole_attributes(const onnx::NodeProto& node, const std::string& name,
                                      size_t count) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return {attribute.ints().begin(), attribute.ints().end()};
  return std::vector<int64_t>(count, 0);
}

}  // namespace dovetail
