// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/node_region.h"

#include <algorithm>
#include <string_view>

#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

using NodeRule = MaybeRegion (*)(const Graph&, const GraphNode&);

struct Row {
  NodeRule rule;
  std::string_view types;  // between blanks
};
constexpr Row kRows[] = {
    {node_regions::unary,
     " Abs Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Log Neg Reciprocal Relu Sigmoid "
     "Softplus Softsign Sqrt Tanh ThresholdedRelu "},
    {node_regions::binary, " Add Div Max Min Mul PRelu Pow Sub Sum "},
    {node_regions::clip, " Clip "},
    {node_regions::batch_normalization, " BatchNormalization "},
    {node_regions::expand, " Expand "},
    {node_regions::cast, " Cast "},
    {node_regions::transpose, " Transpose "},
    {node_regions::concat, " Concat "},
    {node_regions::gather, " Gather "},
    {node_regions::reduce,
     " GlobalAveragePool GlobalMaxPool ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
     "ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare "},
    {node_regions::softmax, " LogSoftmax Softmax "},
    {node_regions::layer_normalization, " LayerNormalization "},
    {node_regions::pool, " AveragePool MaxPool "},
};
constexpr std::string_view kViews = " Dropout Flatten Identity Reshape Squeeze Unsqueeze ";

bool is_one_of(std::string_view types, const std::string& type) {
  return types.find(" " + type + " ") != std::string_view::npos;
}

// Operators' computations call their tensors so (core/ir/operator/computation.h).
std::string_view tensor_name(Operand operand) {
  switch (operand) {
    case Operand::input: return "X";
    case Operand::weight: return "W";
    case Operand::bias: return "bias";
    case Operand::addend: return "add";
    case Operand::output: break;
  }
  return "Y";
}

NodeRegion operator_region(const GraphNode& node) {
  const std::vector<Operand> operands = input_operands(*node.op);
  NodeRegion region{.text = print(*node.op), .given = {}};
  for (size_t i = 0; i < operands.size(); ++i)
    region.given.emplace_back(tensor_name(operands[i]), node.inputs.at(i));
  return region;
}

}  // namespace

Result<std::optional<NodeRegion>> node_region(const Graph& graph, const GraphNode& node) {
  if (node.op) return std::optional(operator_region(node));
  const bool one_output =
      std::ranges::count(node.outputs, kNoTensor) + 1 == std::ssize(node.outputs);
  if (!one_output || node.outputs[0] == kNoTensor || input_at(node, 0) == kNoTensor)
    return std::optional<NodeRegion>();
  const bool trains = node.type == "Dropout" && input_at(node, 2) != kNoTensor;
  if (trains) return std::optional<NodeRegion>();
  if (is_one_of(kViews, node.type)) {
    NodeRegion view;
    view.given = {{"A", node.inputs[0]}};
    return std::optional(std::move(view));
  }
  for (const Row& row : kRows)
    if (is_one_of(row.types, node.type)) return row.rule(graph, node);
  return std::optional<NodeRegion>();
}

}  // namespace dovetail
