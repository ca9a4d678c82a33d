// SPDX-License-Identifier: Apache-2.0
// Rules of nodes that compute elements: the output's shape and type are found here, its elements by
// the node's region (fold_nodes.h). Half precision and double are left to the network.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/constants/element_order.h"
#include "core/frontend/constants/fold_nodes.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::constant_rules {
namespace {

// Numbers in the type of their elements in memory, which regions compute with. (They do not take
// double.) Booleans are no numbers.
ElementType computed_as(const GraphTensor& tensor) {
  return tensor.type == ElementType::boolean ? tensor.type : tensor.data->type();
}

std::optional<Extents> shape_over(const std::vector<const GraphTensor*>& tensors) {
  std::vector<Extents> shapes;
  for (const GraphTensor* tensor : tensors) shapes.push_back(*tensor->shape);
  return broadcast_shape(shapes);
}

bool is_computed(const GraphTensor* tensor) {
  if (tensor == nullptr) return false;
  const ElementType type = tensor->type;
  return type == ElementType::f32 || type == ElementType::i32 || type == ElementType::i64 ||
         type == ElementType::boolean;
}

bool compares(std::string_view type) {
  return type == "Equal" || type.starts_with("Greater") || type.starts_with("Less");
}

// The result of a reduction of no elements.
double of_nothing(std::string_view type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (type == "ReduceMean") return std::numeric_limits<double>::quiet_NaN();
  if (type == "ReduceMin") return kInfinity;
  if (type == "ReduceProd") return 1;
  return type == "ReduceMax" || type.starts_with("ReduceLogSum") ? -kInfinity : 0;
}

ConstantOutputs all_of_nothing(const ConstantCall& call, Extents shape) {
  const GraphTensor& data = *call.inputs[0];
  const double value = of_nothing(call.node.type);
  if (data.type != ElementType::f32 && !std::isfinite(value)) return std::nullopt;
  const std::vector<double> results(static_cast<size_t>(num_elements(shape)), value);
  return one_output(
      new_constant(data.type, std::move(shape), converted(results, data.data->type())));
}

}  // namespace

Result<ConstantOutputs> by_region(const ConstantCall& call, ElementType type,
                                  const Extents& shape) {
  TRY(check_size(call, shape));
  // Elements of a type that regions do not store are taken from an input of the type.
  const auto of_type = [&](const GraphTensor* input) { return input && input->type == type; };
  const auto source = std::ranges::find_if(call.inputs, of_type);
  if (!is_stored(type) && source == call.inputs.end()) return ConstantOutputs();
  const ElementType stored = is_stored(type) ? type : (*source)->data->type();
  if (num_elements(shape) == 0) {
    const bool is_real = computed_type(stored) == ComputedType::real;
    const ElementType kept = is_real ? ElementType::f32 : ElementType::i64;
    return one_output(new_constant(type, shape, NDArray::zeros(kept, {0})));
  }
  GraphNode node = call.node;
  Graph graph;
  for (const GraphTensor* input : call.inputs) {
    node.inputs.push_back(input == nullptr ? kNoTensor : TensorId(graph.tensors.size()));
    if (input == nullptr) continue;
    graph.tensors.push_back(*input);
    graph.tensors.back().type = computed_as(*input);
    graph.tensors.back().constant = true;
  }
  node.outputs = {TensorId(graph.tensors.size())};
  graph.tensors.push_back({.name = {}, .type = stored, .shape = shape, .data = {}});
  FoldingEffort effort;
  if (!TRY(fold_node(graph, node, effort))) return ConstantOutputs();
  return one_output(new_constant(type, shape, *graph.tensors.back().data));
}

Result<ConstantOutputs> elementwise(const ConstantCall& call) {
  if (!std::ranges::all_of(call.inputs, is_computed)) return ConstantOutputs();
  const ElementType type = call.inputs[0]->type;
  for (const GraphTensor* input : call.inputs)
    if (input->type != type) return ConstantOutputs();
  const auto shape = shape_over(call.inputs);
  if (!shape || TRY(integer_attribute(call.node, "fmod", 0)) != 0) return ConstantOutputs();
  return by_region(call, compares(call.node.type) ? ElementType::boolean : type, *shape);
}

Result<ConstantOutputs> cast(const ConstantCall& call) {
  const Extents& shape = *call.inputs[0]->shape;
  switch (TRY(integer_attribute(call.node, "to", 0))) {  // TensorProto::DataType
    case 1: return by_region(call, ElementType::f32, shape);
    case 6: return by_region(call, ElementType::i32, shape);
    case 7: return by_region(call, ElementType::i64, shape);
    case 9: return by_region(call, ElementType::boolean, shape);
    default: return ConstantOutputs();
  }
}

Result<ConstantOutputs> where(const ConstantCall& call) {
  const GraphTensor *const a = call.input(1), *const b = call.input(2);
  if (a == nullptr || b == nullptr || a->type != b->type) return ConstantOutputs();
  const auto shape = shape_over({call.inputs[0], a, b});
  if (!shape || !has_integers(*call.inputs[0])) return ConstantOutputs();
  return by_region(call, a->type, *shape);
}

Result<ConstantOutputs> reduce(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const bool whole = data.type == ElementType::i64 || data.type == ElementType::i32;
  if (!whole && data.type != ElementType::f32) return ConstantOutputs();
  const auto axes = TRY(numbers_of(call, "axes", 1));
  const bool keeps = TRY(integer_attribute(call.node, "keepdims", 1)) != 0;
  const bool all =
      (!axes || axes->empty()) && TRY(integer_attribute(call.node, "noop_with_empty_axes", 0)) == 0;
  std::vector<bool> gone(data.shape->size(), all);
  for (const int64_t number : axes.value_or(Extents())) {
    const auto axis = axis_of(number, gone.size());
    if (!axis) return ConstantOutputs();
    gone[*axis] = true;
  }
  Extents left;
  for (size_t axis = 0; axis < gone.size(); ++axis)
    if (!gone[axis] || keeps) left.push_back(gone[axis] ? 1 : (*data.shape)[axis]);
  if (num_elements(*data.shape) == 0) return all_of_nothing(call, std::move(left));
  return by_region(call, data.type, left);
}

}  // namespace dovetail::constant_rules
