// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers shared by the passes of an import: typed attributes, new constants, counts of uses.

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/value/ndarray.h"

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
// The tensor at a position, kNoTensor if it is omitted.
TensorId input_at(const GraphNode& node, size_t position);

// A constant without elements has both.
bool has_floats(const GraphTensor& tensor);
bool has_integers(const GraphTensor& tensor);

// Calls use(…) with a constant's elements, a span of float or of int64_t.
template <typename Use>
auto with_elements(const NDArray& data, const Use& use) {
  return data.type() == ElementType::f32 ? use(data.as<float>()) : use(data.as<int64_t>());
}

// A position in an axis of that extent, or an axis of that rank, from a number that counts from the
// end if negative; nullopt if out of range.
std::optional<int64_t> position_of(int64_t number, int64_t extent);
std::optional<size_t> axis_of(int64_t axis, size_t rank);

// Integers that a node has as an attribute (in older operator sets) or as an input, null if it is
// omitted; nullopt if it has neither, or the input is computed at run time.
Result<std::optional<std::vector<int64_t>>> numbers_of(const GraphNode& node,
                                                       const std::string& attribute,
                                                       const GraphTensor* input);

// The only element of a constant, as the decimal that prints like it; nullopt for other tensors.
std::optional<double> single_number(const Graph& graph, TensorId id);

// Gives the tensor these elements, in its shape.
void become_constant(GraphTensor& tensor, const NDArray& data);
// A constant without a name that is not in a graph yet.
GraphTensor new_constant(ElementType type, std::vector<int64_t> shape, const NDArray& data);

// Adds a tensor named `base`, or `base.2`, … if that is taken.
TensorId add_tensor(Graph& graph, const std::string& base, ElementType type,
                    std::vector<int64_t> shape);
TensorId add_constant(Graph& graph, const std::string& base, ElementType type,
                      std::vector<int64_t> shape, const NDArray& data);

// The number of uses of each tensor, by nodes or as an output of the graph, by TensorId.
std::vector<int64_t> count_uses(const Graph& graph);

}  // namespace dovetail
