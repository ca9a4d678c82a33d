// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

bool is_empty(const Graph& graph, TensorId id) {
  if (id == kNoTensor) return false;
  const GraphTensor& tensor = tensor_of(graph, id);
  return tensor.shape && num_elements(*tensor.shape) == 0;
}

bool is_any_of(const std::string& type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// Makes the node a copy of its first input.
void copy_first(GraphNode& node) {
  node.type = "Identity";
  node.operator_class = OperatorClass::elementwise;
  node.attributes.clear();
  node.inputs.resize(1);
  node.outputs.resize(1);
}

void drop_parts(Graph& graph, GraphNode& node) {
  const auto empty = [&](TensorId id) { return is_empty(graph, id); };
  if (node.type == "Concat") {
    std::erase_if(node.inputs, empty);
    if (node.inputs.size() == 1) copy_first(node);
  }
  if (node.type == "Split") {
    for (const TensorId id : node.outputs) {
      if (!empty(id)) continue;
      GraphTensor& part = graph.tensors[static_cast<size_t>(id)];
      become_constant(part, {});
    }
    std::erase_if(node.outputs, empty);
  }
  const bool updates = is_any_of(node.type, {"Scatter", "ScatterElements", "ScatterND"});
  if (updates && empty(input_at(node, 1))) copy_first(node);
}

// A product over no elements is 0.
bool is_product_of_nothing(const Graph& graph, const GraphNode& node) {
  if (node.type != "MatMul" || node.inputs.size() != 2) return false;
  const bool nothing = is_empty(graph, node.inputs[0]) && is_empty(graph, node.inputs[1]);
  return nothing && tensor_of(graph, node.outputs[0]).shape &&
         tensor_of(graph, node.outputs[0]).type == ElementType::f32;
}

}  // namespace

void drop_empty(Graph& graph) {
  std::vector<GraphNode> kept;
  for (GraphNode& node : graph.nodes) {
    if (is_product_of_nothing(graph, node)) {
      GraphTensor& zeros = graph.tensors[static_cast<size_t>(node.outputs[0])];
      become_constant(zeros, NDArray::zeros(ElementType::f32, *zeros.shape));
      continue;
    }
    drop_parts(graph, node);
    kept.push_back(std::move(node));
  }
  graph.nodes = std::move(kept);
}

}  // namespace dovetail
