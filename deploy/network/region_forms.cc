// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/region_forms.h"

#include "core/ir/layout/restate.h"

namespace dovetail {

std::vector<LogicalDim> dims_named(const Region& region, const std::string& tensor) {
  for (const Tensor& own : tensors_of(region))
    if (own.name == tensor) return own.dims;
  return {};
}

std::optional<NormalLayout> form_in_region(const Region& region, const std::string& tensor,
                                           const NormalLayout& form,
                                           const std::vector<int64_t>& shape) {
  return restated(form, shape, extents_of(dims_named(region, tensor)));
}

std::optional<NormalLayout> form_in_graph(const Region& region, const std::string& tensor,
                                          const NormalLayout& form,
                                          const std::vector<int64_t>& shape) {
  return restated(form, extents_of(dims_named(region, tensor)), shape);
}

std::optional<StoredForms> forms_of_region(const Graph& graph, const Region& region,
                                           const NodeRegion& node, const FormsOfTensors& chosen) {
  StoredForms forms;
  for (const auto* tensors : {&node.given, &node.made})
    for (const auto& [name, id] : *tensors) {
      const auto found = chosen.find(id);
      if (found == chosen.end()) continue;
      auto form = form_in_region(region, name, found->second, shape_in(graph, id));
      if (!form) return std::nullopt;
      if (*form != row_major_form(dims_named(region, name))) forms[name] = *std::move(form);
    }
  return forms;
}

std::vector<int64_t> shape_in(const Graph& graph, TensorId tensor) {
  return graph.tensors[static_cast<size_t>(tensor)].shape.value_or(std::vector<int64_t>());
}

int64_t bytes_in(const Graph& graph, TensorId tensor) {
  return num_elements(shape_in(graph, tensor)) *
         bytes_of(graph.tensors[static_cast<size_t>(tensor)].type);
}

NormalLayout row_major_in(const Graph& graph, TensorId tensor) {
  return row_major_form(numbered_dims(shape_in(graph, tensor)));
}

}  // namespace dovetail
