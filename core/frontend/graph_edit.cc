// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/graph_edit.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/onnx/tensor.h"

namespace dovetail {
namespace {

template <typename Value>
Result<Value> read_attribute(const GraphNode& node, const std::string& name, Value otherwise,
                             std::string_view expected) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return otherwise;
  if (const auto* value = std::get_if<Value>(&found->second)) return *value;
  return fail("attribute {} of node {} has another type; expected {}", name, node.name, expected);
}

bool has_data(const GraphTensor& tensor, ElementType type) {
  return tensor.constant && tensor.data && tensor.shape &&
         (tensor.data->type() == type || tensor.data->empty());
}

}  // namespace

Result<int64_t> integer_attribute(const GraphNode& node, const std::string& name,
                                  int64_t otherwise) {
  return read_attribute<int64_t>(node, name, otherwise, "a whole number");
}

Result<double> number_attribute(const GraphNode& node, const std::string& name, double otherwise) {
  return read_attribute<double>(node, name, otherwise, "a number");
}

Result<std::string> text_attribute(const GraphNode& node, const std::string& name,
                                   const std::string& otherwise) {
  return read_attribute<std::string>(node, name, otherwise, "a text");
}

Result<std::vector<int64_t>> integers_attribute(const GraphNode& node, const std::string& name,
                                                std::vector<int64_t> otherwise) {
  return read_attribute<std::vector<int64_t>>(node, name, std::move(otherwise), "whole numbers");
}

const GraphTensor& tensor_of(const Graph& graph, TensorId id) {
  return graph.tensors.at(static_cast<size_t>(id));
}

TensorId input_at(const GraphNode& node, size_t position) {
  return position < node.inputs.size() ? node.inputs[position] : kNoTensor;
}

bool has_floats(const GraphTensor& tensor) { return has_data(tensor, ElementType::f32); }
bool has_integers(const GraphTensor& tensor) { return has_data(tensor, ElementType::i64); }

std::optional<int64_t> position_of(int64_t number, int64_t extent) {
  if (number < -extent || number >= extent) return std::nullopt;
  return number < 0 ? number + extent : number;
}

std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  const auto position = position_of(axis, static_cast<int64_t>(rank));
  return position ? std::optional(static_cast<size_t>(*position)) : std::nullopt;
}

Result<std::optional<std::vector<int64_t>>> numbers_of(const GraphNode& node,
                                                       const std::string& attribute,
                                                       const GraphTensor* input) {
  using Numbers = std::optional<std::vector<int64_t>>;
  if (node.attributes.contains(attribute))
    return Numbers(TRY(integers_attribute(node, attribute, {})));
  if (input == nullptr || !has_integers(*input)) return Numbers();
  return Numbers(integers_of(*input->data));
}

std::optional<double> single_number(const Graph& graph, TensorId id) {
  if (id == kNoTensor) return std::nullopt;
  const GraphTensor& tensor = tensor_of(graph, id);
  if (!has_floats(tensor) || tensor.data->size() != 1) return std::nullopt;
  return decimal_of(tensor.data->as<float>()[0]);
}

void become_constant(GraphTensor& tensor, const NDArray& data) {
  tensor.constant = true;
  tensor.data = data.reshaped(*tensor.shape);
}

GraphTensor new_constant(ElementType type, std::vector<int64_t> shape, const NDArray& data) {
  GraphTensor tensor{.name = "", .type = type, .shape = std::move(shape), .data = {}};
  become_constant(tensor, data);
  return tensor;
}

TensorId add_tensor(Graph& graph, const std::string& base, ElementType type,
                    std::vector<int64_t> shape) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(graph.tensors, name, &GraphTensor::name) != graph.tensors.end();
  };
  std::string name = base;
  for (int suffix = 2; is_taken(name); ++suffix) name = fmt::format("{}.{}", base, suffix);
  graph.tensors.push_back({.name = name, .type = type, .shape = std::move(shape), .data = {}});
  return static_cast<TensorId>(graph.tensors.size()) - 1;
}

TensorId add_constant(Graph& graph, const std::string& base, ElementType type,
                      std::vector<int64_t> shape, const NDArray& data) {
  const TensorId id = add_tensor(graph, base, type, std::move(shape));
  become_constant(graph.tensors.back(), data);
  return id;
}

std::vector<int64_t> count_uses(const Graph& graph) {
  std::vector<int64_t> uses(graph.tensors.size(), 0);
  const auto count = [&](TensorId id) {
    if (id != kNoTensor) ++uses[static_cast<size_t>(id)];
  };
  for (const GraphNode& node : graph.nodes) std::ranges::for_each(node.inputs, count);
  std::ranges::for_each(graph.outputs, count);
  return uses;
}

}  // namespace dovetail
