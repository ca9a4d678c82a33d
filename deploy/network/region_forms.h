// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layouts of one tensor in two shapes: the region's, and the graph's.
//
//   a graph's t[1,64,56,56]; the region reads A[a=64,b=3136]
//     form_in_region    1@16:4 2@1:56 3@1:56 1@1:16 of t is 0@16:4 1@1:3136 0@1:16 of A
//     form_in_graph     the other way
//
// Nothing where a digit would span parts of two dimensions (core/ir/layout/restate.h).

#include <optional>
#include <string>
#include <vector>

#include "core/frontend/computations/node_region.h"
#include "deploy/network/network_choice.h"
#include "primitives/propagation/stored_region.h"

namespace dovetail {

std::vector<LogicalDim> dims_named(const Region& region, const std::string& tensor);

std::optional<NormalLayout> form_in_region(const Region& region, const std::string& tensor,
                                           const NormalLayout& form,
                                           const std::vector<int64_t>& shape);
std::optional<NormalLayout> form_in_graph(const Region& region, const std::string& tensor,
                                          const NormalLayout& form,
                                          const std::vector<int64_t>& shape);

// The layouts chosen for the node's tensors, by the region's names, row-major ones left out.
// Nothing where one of them cannot be expressed in the region's dimensions.
std::optional<StoredForms> forms_of_region(const Graph& graph, const Region& region,
                                           const NodeRegion& node, const FormsOfTensors& chosen);

std::vector<int64_t> shape_in(const Graph& graph, TensorId tensor);
int64_t bytes_in(const Graph& graph, TensorId tensor);  // without padding
NormalLayout row_major_in(const Graph& graph, TensorId tensor);

}  // namespace dovetail
