// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/tails.h"

#include <limits>
#include <optional>
#include <unordered_map>

#include "core/frontend/graph_edit.h"
#include "core/frontend/joining.h"

namespace dovetail {
namespace {

// One bound of a Clip: its constant, `otherwise` if it is left out, none if only known at run time.
std::optional<double> read_bound(const Graph& graph, const GraphNode& node, size_t position,
                                 const std::string& name, double otherwise) {
  if (const auto attribute = number_attribute(node, name, otherwise);
      node.attributes.contains(name))
    return attribute ? std::optional<double>(*attribute) : std::nullopt;  // before operator set 11
  const TensorId id = input_at(node, position);
  if (id == kNoTensor) return otherwise;
  return single_number(graph, id);
}

std::optional<Epilogue> clip_of(const Graph& graph, const GraphNode& node) {
  constexpr double kLowest = std::numeric_limits<float>::lowest();
  constexpr double kHighest = std::numeric_limits<float>::max();
  const auto lo = read_bound(graph, node, 1, "min", kLowest);
  const auto hi = read_bound(graph, node, 2, "max", kHighest);
  if (!lo || !hi) return std::nullopt;
  if (*lo == 0 && *hi >= kHighest) return Epilogue{EpilogueKind::relu};
  return Epilogue{EpilogueKind::clip, *lo, *hi};
}

// The epilogue that a node with one activation is, if it is one.
std::optional<Epilogue> activation_of(const Graph& graph, const GraphNode& node) {
  if (node.type == "Relu") return Epilogue{EpilogueKind::relu};
  if (node.type == "Sigmoid") return Epilogue{EpilogueKind::sigmoid};
  if (node.type == "Tanh") return Epilogue{EpilogueKind::tanh};
  if (node.type == "Clip") return clip_of(graph, node);
  if (node.type == "Gelu" && text_attribute(node, "approximate", "none").value_or("") == "none")
    return Epilogue{EpilogueKind::gelu};
  return std::nullopt;
}

class Tails {
 public:
  explicit Tails(Graph& graph) : graph_(graph), joining_(graph) {}

  Result<JoinedNodes> run() {
    TRY(joining_.run([&](size_t place) { return join(place); }));
    return std::move(joining_.joined);
  }

 private:
  Result<std::optional<size_t>> join(size_t place) {
    const GraphNode& node = joining_.node(place);
    std::optional<size_t> none;
    if (node.operator_class != OperatorClass::elementwise || node.inputs.empty()) return none;
    if (node.outputs.empty() || node.outputs[0] == kNoTensor) return none;
    if (node.type == "Add") return join_add(node);
    if (node.type == "Mul") return join_silu(node);
    const auto producer = joining_.producer_of(node.inputs[0]);
    const auto epilogue = activation_of(graph_, node);
    if (producer && epilogue && Joining::append(joining_.node(*producer), *epilogue))
      return producer;
    if (node.type == "Sigmoid") sigmoid_[node.outputs[0]] = place;
    return none;
  }

  std::optional<size_t> join_add(const GraphNode& node) {
    if (node.inputs.size() != 2 || node.inputs[0] == node.inputs[1]) return std::nullopt;
    const auto first = joining_.producer_of(node.inputs[0]);
    const auto second = joining_.producer_of(node.inputs[1]);
    const bool second_is_larger = work_of(second) > work_of(first);
    for (const bool take_second : {second_is_larger, !second_is_larger}) {
      const auto producer = take_second ? second : first;
      if (producer && add_to(joining_.node(*producer), node.inputs[take_second ? 0 : 1]))
        return producer;
    }
    return std::nullopt;
  }

  double work_of(std::optional<size_t> place) {
    return place ? nominal_flops(*joining_.node(*place).op) : 0;
  }

  // The other operand of an Add as bias, or as addend.
  bool add_to(GraphNode& target, TensorId other) {
    if (joining_.add_bias(target, other)) return true;
    if (other == kNoTensor) return false;
    const GraphTensor &tensor = tensor_of(graph_, other),
                      &output = tensor_of(graph_, target.outputs[0]);
    if (!tensor.shape || tensor.type != output.type || tensor.shape != output.shape) return false;
    if (!Joining::append(target, {EpilogueKind::add})) return false;
    Joining::insert_operand(target, Operand::addend, other);
    return true;
  }

  // Mul(x, Sigmoid(x)), both reading the operator's output.
  std::optional<size_t> join_silu(const GraphNode& node) {
    if (node.inputs.size() != 2) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      const TensorId gate = node.inputs[at];
      const TensorId value = node.inputs[1 - at];
      const auto sigmoid = sigmoid_.find(gate);
      if (sigmoid == sigmoid_.end() || joining_.uses_of(gate) != 1) continue;
      if (joining_.node(sigmoid->second).inputs[0] != value) continue;
      const auto producer = joining_.producer_of(value, 2);
      if (!producer || !Joining::append(joining_.node(*producer), {EpilogueKind::silu})) continue;
      joining_.take_in(joining_.node(*producer), sigmoid->second);
      return producer;
    }
    return std::nullopt;
  }

  Graph& graph_;
  Joining joining_;
  std::unordered_map<TensorId, size_t> sigmoid_;  // place of the Sigmoid that writes a tensor
};

}  // namespace

Result<JoinedNodes> join_tails(Graph& graph) { return Tails(graph).run(); }

}  // namespace dovetail
