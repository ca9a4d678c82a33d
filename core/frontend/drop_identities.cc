// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

bool passes_through(const Graph& graph, const GraphNode& node, const std::vector<int64_t>& uses) {
  if (node.type != "Identity" && node.type != "Dropout") return false;
  if (input_at(node, 0) == kNoTensor || node.outputs[0] == kNoTensor) return false;
  const bool is_output = std::ranges::find(graph.outputs, node.outputs[0]) != graph.outputs.end();
  const bool has_mask = node.outputs.size() > 1 && node.outputs[1] != kNoTensor &&
                        uses[static_cast<size_t>(node.outputs[1])] > 0;
  const bool may_train = input_at(node, 2) != kNoTensor;  // Dropout's training_mode
  return !is_output && !has_mask && !may_train;
}

}  // namespace

void drop_identities(Graph& graph) {
  std::vector<TensorId> same_as(graph.tensors.size());  // what readers of a tensor read instead
  std::iota(same_as.begin(), same_as.end(), TensorId{0});
  const std::vector<int64_t> uses = count_uses(graph);
  std::vector<GraphNode> kept;
  for (GraphNode& node : graph.nodes) {
    for (TensorId& id : node.inputs)
      if (id != kNoTensor) id = same_as[static_cast<size_t>(id)];
    if (passes_through(graph, node, uses))
      same_as[static_cast<size_t>(node.outputs[0])] = node.inputs[0];
    else
      kept.push_back(std::move(node));
  }
  graph.nodes = std::move(kept);
}

}  // namespace dovetail
