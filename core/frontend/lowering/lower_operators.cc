// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/frontend/constants/fold_nodes.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

// Why a node of any kind cannot be lowered; empty if nothing speaks against it.
std::string reason_against(const Graph& graph, const GraphNode& node) {
  if (node.inputs.size() < 2 || node.inputs[0] == kNoTensor || node.inputs[1] == kNoTensor)
    return "an operand is left out";
  if (node.outputs[0] == kNoTensor) return "its output is left out";
  const ElementType type = tensor_of(graph, node.inputs[0]).type;
  if (type != ElementType::f32 && !is_half(type))
    return fmt::format("element type {}", name_of(type));
  for (const TensorId id : node.inputs) {
    if (id == kNoTensor) continue;
    const GraphTensor& tensor = tensor_of(graph, id);
    if (!tensor.shape) return fmt::format("the shape of {} is only known at run time", tensor.name);
    if (tensor.type != type) return fmt::format("{} is {}", tensor.name, name_of(tensor.type));
    if (num_elements(*tensor.shape) == 0) return fmt::format("{} has no elements", tensor.name);
  }
  return "";
}

Result<Lowering> lower_by_type(Graph& graph, const GraphNode& node) {
  if (node.type == "Gemm") return lower_gemm(graph, node);
  if (node.type == "MatMul") return lower_matmul(graph, node);
  return lower_convolution(graph, node);
}

Result<Lowering> lower(Graph& graph, const GraphNode& node) {
  const std::string reason = reason_against(graph, node);
  if (!reason.empty()) return Lowering{.reason = reason};
  Lowering lowering = TRY(lower_by_type(graph, node));
  const GraphTensor& output = tensor_of(graph, node.outputs[0]);
  if (output.shape) return lowering;
  return Lowering{.reason = fmt::format("the shape of {} is only known at run time", output.name)};
}

}  // namespace

GraphNode with_spec(const GraphNode& node, Operator op, std::vector<TensorId> inputs) {
  GraphNode lowered = node;
  lowered.type = name_of(op.kind);
  lowered.attributes.clear();
  lowered.op = std::move(op);
  lowered.inputs = std::move(inputs);
  return lowered;
}

ElementType data_type(const GraphTensor& tensor) {
  return is_half(tensor.type) ? tensor.type : ElementType::f32;
}

Result<void> lower_operators(Graph& graph) {
  std::vector<GraphNode> nodes;
  FoldingEffort effort;
  // In node order, so that weights that are products of constants are folded to constants first.
  const auto add = [&](GraphNode node) -> Result<void> {
    if (!TRY(fold_node(graph, node, effort))) nodes.push_back(std::move(node));
    return {};
  };
  for (GraphNode& node : graph.nodes) {
    if (node.operator_class != OperatorClass::complex || node.op) {
      TRY(add(std::move(node)));
      continue;
    }
    auto lowering = lower(graph, node);
    if (!lowering) return fail("node {} ({}): {}", node.name, node.type, lowering.error().message);
    if (!lowering->reason.empty()) {
      node.attributes["not_tuned"] = lowering->reason;
      nodes.push_back(std::move(node));
    }
    for (GraphNode& lowered : lowering->nodes) TRY(add(std::move(lowered)));
  }
  graph.nodes = std::move(nodes);
  return {};
}

}  // namespace dovetail
