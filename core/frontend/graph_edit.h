// SPDX-License-Identifier: Apache-2.0
#pragma once

// The passes of an import share these: typed attributes, new constants, who reads a tensor.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// An attribute's value, or the default if the node does not have it; the error names both.
Result<int64_t> integer_attribute(const GraphNode& node, const std::string& name,
                                  int64_t otherwise);
Result<double> number_attribute(const GraphNode& node, const std::string& name, double otherwise);
Result<std::string> text_attribute(const GraphNode& node, const std::string& name,
                                   const std::string& otherwise);
Result<std::vector<int64_t>> integers_attribute(const GraphNode& node, const std::string& name,
                                                std::vector<int64_t> otherwise);

const GraphTensor& tensor_of(const Graph& graph, TensorId id);
// The tensor at a position, kNoTensor if the node leaves it out.
TensorId input_at(const GraphNode& node, size_t position);

bool has_floats(const GraphTensor& tensor);
bool has_integers(const GraphTensor& tensor);

// Adds a tensor named `base`, or `base.2`, … if that is taken.
TensorId add_tensor(Graph& graph, const std::string& base, ElementType type,
                    std::vector<int64_t> shape);
TensorId add_constant(Graph& graph, const std::string& base, ElementType type,
                      std::vector<int64_t> shape, ConstantData data);

// How often each tensor is read by nodes or given as an output of the graph, by TensorId.
std::vector<int64_t> count_uses(const Graph& graph);

}  // namespace dovetail
