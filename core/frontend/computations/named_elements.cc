// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/named_elements.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/computations/node_region.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

bool is_any_of(std::initializer_list<std::string_view> types, const std::string& type) {
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

std::optional<NamedElements> named_elements(const Graph& graph, const GraphNode& node) {
  const bool along_axis =
      is_any_of({"Gather", "GatherElements", "Scatter", "ScatterElements"}, node.type);
  if (!along_axis && !is_any_of({"GatherND", "ScatterND"}, node.type)) return std::nullopt;
  const TensorId data = input_at(node, 0), indices = input_at(node, 1);
  if (data == kNoTensor || indices == kNoTensor) return std::nullopt;
  const auto &shape = tensor_of(graph, data).shape, &own = tensor_of(graph, indices).shape;
  if (!shape || !own || num_elements(*own) == 0) return std::nullopt;
  if (along_axis) {
    const auto number = integer_attribute(node, "axis", 0);
    const auto axis = number ? axis_of(*number, shape->size()) : std::nullopt;
    if (!axis) return std::nullopt;
    return NamedElements{.indices = indices, .extents = {(*shape)[*axis]}};
  }
  const auto batches = integer_attribute(node, "batch_dims", 0);
  if (!batches || *batches < 0 || own->empty()) return std::nullopt;
  const int64_t depth = own->back();
  if (depth < 1 || depth > std::ssize(*shape) - *batches) return std::nullopt;
  const auto first = shape->begin() + static_cast<std::ptrdiff_t>(*batches);
  return NamedElements{.indices = indices, .extents = {first, first + depth}};
}

Result<void> check_index(const GraphNode& node, int64_t number, int64_t extent) {
  if (position_of(number, extent)) return {};
  return fail("node {} ({}): index {} of an axis of {}; expected {} to {}", node.name, node.type,
              number, extent, -extent, extent - 1);
}

Result<void> check_elements(const Graph& graph) {
  for (const GraphNode& node : graph.nodes) {
    if (is_any_of({"Flatten", "Reshape", "Squeeze", "Unsqueeze"}, node.type))
      TRY(node_region(graph, node));
    const auto named = named_elements(graph, node);
    if (!named || !has_integers(tensor_of(graph, named->indices))) continue;
    TRY(check_indices(node, *named, tensor_of(graph, named->indices).data->as<int64_t>()));
  }
  return {};
}

}  // namespace dovetail
