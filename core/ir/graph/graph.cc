// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/graph.h"

#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

Result<void> check_ids(const Graph& graph, const GraphNode& node) {
  const auto count = static_cast<TensorId>(graph.tensors.size());
  for (const std::vector<TensorId>* list : {&node.inputs, &node.outputs})
    for (const TensorId id : *list)
      if (id < kNoTensor || id >= count)
        return fail("node {} refers to tensor number {}; expected one below {}", node.name, id,
                    count);
  return {};
}

// A tensor as an operator's spec requires it.
struct Expected {
  std::string_view name;
  ElementType type;
  std::vector<int64_t> shape;
};

Result<void> check_operand(const Graph& graph, const GraphNode& node, const Expected& expected,
                           TensorId id) {
  if (id == kNoTensor)
    return fail("node {} leaves out its {}; expected a tensor", node.name, expected.name);
  const GraphTensor& tensor = graph.tensors[static_cast<size_t>(id)];
  if (tensor.type != expected.type)
    return fail("tensor {} is {}; expected {} as the {} of node {}", tensor.name,
                name_of(tensor.type), name_of(expected.type), expected.name, node.name);
  if (!tensor.shape || num_elements(*tensor.shape) != num_elements(expected.shape))
    return fail("tensor {} has shape [{}]; expected the elements of [{}], the {} of node {}",
                tensor.name, tensor.shape ? fmt::format("{}", fmt::join(*tensor.shape, ",")) : "?",
                fmt::join(expected.shape, ","), expected.name, node.name);
  return {};
}

Result<void> check_complex(const Graph& graph, const GraphNode& node) {
  const Operator& op = *node.op;
  const std::vector<Operand> operands = input_operands(op);
  const std::vector<TailTensor> others = op.tail ? op.tail->tensors : std::vector<TailTensor>();
  const size_t expected = operands.size() + others.size();
  if (node.inputs.size() != expected || node.outputs.size() != 1)
    return fail("node {} has {} inputs and {} outputs; expected {} and 1 for {}", node.name,
                node.inputs.size(), node.outputs.size(), expected, print(op));
  const auto operand = [&](Operand role, ElementType type) {
    return Expected{name_of(role), type, logical_shape(op, role)};
  };
  for (size_t i = 0; i < operands.size(); ++i)
    TRY(check_operand(graph, node, operand(operands[i], op.dtype), node.inputs[i]));
  for (size_t i = 0; i < others.size(); ++i)
    TRY(check_operand(graph, node, {others[i].name, others[i].type, tail_shape(op, others[i])},
                      node.inputs[operands.size() + i]));
  return check_operand(graph, node, operand(Operand::output, op.tail ? op.tail->type : op.dtype),
                       node.outputs[0]);
}

Result<void> check_node(const Graph& graph, const GraphNode& node, std::set<TensorId>& written) {
  TRY(check_ids(graph, node));
  for (const TensorId id : node.inputs)
    if (id != kNoTensor && !written.contains(id))
      return fail("node {} reads tensor {}; expected it to be written before", node.name,
                  graph.tensors[static_cast<size_t>(id)].name);
  for (const TensorId id : node.outputs)
    if (id != kNoTensor && !written.insert(id).second)
      return fail("node {} writes tensor {}; expected it to be written once", node.name,
                  graph.tensors[static_cast<size_t>(id)].name);
  if (node.op) TRY(check_complex(graph, node));
  return {};
}

}  // namespace

Result<void> check_graph(const Graph& graph) {
  std::set<std::string_view> names;
  std::set<TensorId> written(graph.inputs.begin(), graph.inputs.end());
  for (size_t id = 0; id < graph.tensors.size(); ++id) {
    const GraphTensor& tensor = graph.tensors[id];
    if (tensor.name.empty() || !names.insert(tensor.name).second)
      return fail("two tensors are named \"{}\"; expected names of their own", tensor.name);
    if (tensor.constant) written.insert(static_cast<TensorId>(id));
  }
  std::set<std::string_view> node_names;
  for (const GraphNode& node : graph.nodes) {
    if (node.name.empty() || !node_names.insert(node.name).second)
      return fail("two nodes are named \"{}\"; expected names of their own", node.name);
    TRY(check_node(graph, node, written));
  }
  for (const TensorId id : graph.outputs) {
    CHECK(id >= 0 && id < static_cast<TensorId>(graph.tensors.size()));
    if (!written.contains(id))
      return fail("output {} is never written; expected a node to write it",
                  graph.tensors[static_cast<size_t>(id)].name);
  }
  return {};
}

namespace {

// Renumbers tensors in the order in which their new numbers are first requested.
class Renumbering {
 public:
  Renumbering(const std::vector<GraphTensor>& from, std::vector<GraphTensor>& to)
      : from_(from), to_(to), new_ids_(from.size(), kNoTensor) {}

  TensorId operator()(TensorId id) {
    if (id == kNoTensor) return kNoTensor;
    TensorId& new_id = new_ids_[static_cast<size_t>(id)];
    if (new_id == kNoTensor) {
      new_id = static_cast<TensorId>(to_.size());
      to_.push_back(from_[static_cast<size_t>(id)]);
    }
    return new_id;
  }
  void all(std::vector<TensorId>& ids) {
    for (TensorId& id : ids) id = (*this)(id);
  }

 private:
  const std::vector<GraphTensor>& from_;
  std::vector<GraphTensor>& to_;
  std::vector<TensorId> new_ids_;
};

}  // namespace

namespace {

int64_t known_bytes(const GraphTensor& tensor) {
  const bool is_known = tensor.shape && is_stored(tensor.type);
  return is_known ? num_elements(*tensor.shape) * bytes_of(tensor.type) : 0;
}

int64_t activation_bytes(const Graph& graph, const GraphNode& node) {
  std::set<TensorId> operands(node.inputs.begin(), node.inputs.end());
  operands.insert(node.outputs.begin(), node.outputs.end());
  int64_t bytes = 0;
  for (const TensorId id : operands)
    if (id != kNoTensor && !graph.tensors[static_cast<size_t>(id)].constant)
      bytes += known_bytes(graph.tensors[static_cast<size_t>(id)]);
  return bytes;
}

}  // namespace

int64_t constant_bytes(const Graph& graph) {
  int64_t bytes = 0;
  for (const GraphTensor& tensor : graph.tensors)
    if (tensor.constant) bytes += known_bytes(tensor);
  return bytes;
}

int64_t working_set_bytes(const Graph& graph) {
  int64_t most = 0;
  for (const GraphNode& node : graph.nodes) most = std::max(most, activation_bytes(graph, node));
  return constant_bytes(graph) + most;
}

Graph compact(const Graph& graph) {
  Graph result = graph;
  result.tensors.clear();
  Renumbering renumber(graph.tensors, result.tensors);
  renumber.all(result.inputs);
  const auto number_constant = [&](TensorId id) {
    if (id != kNoTensor && graph.tensors[static_cast<size_t>(id)].constant) renumber(id);
  };
  for (const GraphNode& node : graph.nodes)
    for (const TensorId id : node.inputs) number_constant(id);
  for (const TensorId id : graph.outputs) number_constant(id);
  for (GraphNode& node : result.nodes) {
    renumber.all(node.inputs);
    renumber.all(node.outputs);
  }
  renumber.all(result.outputs);
  return result;
}

Result<void> check_supported(const Graph& graph) {
  std::map<std::string, std::vector<std::string>> names;  // by operator type
  for (const GraphNode& node : graph.nodes)
    if (node.operator_class == OperatorClass::unknown) names[node.type].push_back(node.name);
  if (names.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [type, nodes] : names)
    parts.push_back(fmt::format("{} ({}: {})", type, nodes.size(), fmt::join(nodes, " ")));
  return fail("model {}: unsupported operators: {}", graph.name, fmt::join(parts, ", "));
}

}  // namespace dovetail
