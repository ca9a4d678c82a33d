// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/fold_nodes.h"

#include <algorithm>
#include <utility>

#include "core/frontend/computations/named_elements.h"
#include "core/frontend/computations/node_region.h"
#include "core/frontend/constants/fold_region.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

bool reads_constants_only(const Graph& graph, const GraphNode& node) {
  bool any = false;
  for (const TensorId id : node.inputs) {
    if (id == kNoTensor) continue;
    const GraphTensor& tensor = tensor_of(graph, id);
    if (!has_floats(tensor) && !has_integers(tensor)) return false;
    any = true;
  }
  return any;
}

int64_t elements_of(const Graph& graph, const std::vector<TensorId>& ids) {
  int64_t count = 0;
  for (const TensorId id : ids)
    if (id != kNoTensor && tensor_of(graph, id).shape)
      count += num_elements(*tensor_of(graph, id).shape);
  return count;
}

}  // namespace

Result<bool> fold_node(Graph& graph, const GraphNode& node, FoldingEffort& effort) {
  if (!reads_constants_only(graph, node)) return false;
  if (const auto named = named_elements(graph, node))
    TRY(check_indices(node, *named, tensor_of(graph, named->indices).data->as<int64_t>()));
  const NodeRegion said = TRY(node_region(graph, node));
  if (!said.reason.empty() || said.made.empty()) return false;
  if (is_view(said)) {
    GraphTensor& output = graph.tensors[static_cast<size_t>(node.outputs[0])];
    const GraphTensor& input = tensor_of(graph, said.given[0].second);
    const bool fits = output.shape && output.type == input.type &&
                      num_elements(*output.shape) == num_elements(*input.shape);
    if (fits) become_constant(output, *input.data);
    return fits;
  }
  const Result<Region>& region = said.spec.value();
  const int64_t elements = elements_of(graph, node.inputs) + elements_of(graph, node.outputs);
  if (!region || elements > effort.elements || folding_steps(*region) > effort.steps) return false;
  NamedArrays given;
  for (const auto& [name, id] : said.given) given[name] = *tensor_of(graph, id).data;
  const auto made = fold_region(*region, std::move(given));
  if (!made) return false;
  effort.elements -= elements;
  effort.steps -= folding_steps(*region);
  for (const auto& [name, id] : said.made)
    become_constant(graph.tensors[static_cast<size_t>(id)], made->at(name));
  return true;
}

Result<void> fold_nodes(Graph& graph) {
  FoldingEffort effort;
  std::vector<GraphNode> kept;
  for (GraphNode& node : graph.nodes)
    if (!TRY(fold_node(graph, node, effort))) kept.push_back(std::move(node));
  graph.nodes = std::move(kept);
  return {};
}

}  // namespace dovetail
