// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/tails.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/frontend/graph_edit.h"
#include "core/frontend/joining.h"
#include "core/frontend/partition/tail_of_nodes.h"

namespace dovetail {
namespace {

// One bound of a Clip: its constant, `otherwise` if omitted, nullopt if known only at run time.
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

// The named epilogue of an activation node, if it has one.
std::optional<Epilogue> activation_of(const Graph& graph, const GraphNode& node) {
  if (node.type == "Relu") return Epilogue{EpilogueKind::relu};
  if (node.type == "Sigmoid") return Epilogue{EpilogueKind::sigmoid};
  if (node.type == "Tanh") return Epilogue{EpilogueKind::tanh};
  if (node.type == "Clip") return clip_of(graph, node);
  if (node.type == "Gelu" && text_attribute(node, "approximate", "none").value_or("") == "none")
    return Epilogue{EpilogueKind::gelu};
  return std::nullopt;
}

// Limit of the nodes on the paths from an operator to the node where they join again.
constexpr size_t kMostBetween = 32;

class Tails {
 public:
  Tails(Graph& graph, bool values)
      : graph_(graph),
        values_(values),
        outputs_(graph.outputs.begin(), graph.outputs.end()),
        readers_(graph.tensors.size()),
        joining_(graph) {
    for (size_t place = 0; place < graph.nodes.size(); ++place)
      for (const TensorId id : graph.nodes[place].inputs)
        if (id != kNoTensor) readers_[static_cast<size_t>(id)].push_back(place);
  }

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
    if (const auto producer = join_by_name(node)) return producer;
    if (node.type == "Sigmoid") sigmoid_[node.outputs[0]] = place;
    return values_ ? join_by_value(place) : none;
  }

  std::optional<size_t> join_by_name(const GraphNode& node) {
    if (node.type == "Add") return join_add(node);
    if (node.type == "Mul") return join_silu(node);
    const auto producer = joining_.producer_of(node.inputs[0]);
    const auto epilogue = activation_of(graph_, node);
    if (producer && epilogue && Joining::append(joining_.node(*producer), *epilogue))
      return producer;
    return std::nullopt;
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

  // Makes the other operand of an Add a bias or an addend.
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

  // Fuses nodes that no named epilogue expresses as a value: this node alone, or all nodes on the
  // paths from an operator to it, if all of these paths end here.
  Result<std::optional<size_t>> join_by_value(size_t place) {
    for (const TensorId made : anchors_of(place)) {
      const size_t anchor = *joining_.producer_of(made, joining_.uses_of(made));
      const std::optional<std::vector<size_t>> places = places_between(made, place);
      if (!places) continue;
      std::vector<const GraphNode*> nodes;
      for (const size_t member : *places) nodes.push_back(&joining_.node(member));
      std::optional<GraphNode> joined = TRY(with_tail(graph_, joining_.node(anchor), nodes));
      if (!joined) continue;
      joining_.node(anchor) = *std::move(joined);
      for (const size_t member : *places)
        if (member != place) joining_.take_in(joining_.node(anchor), member);
      return anchor;
    }
    return std::optional<size_t>();
  }

  // Outputs of the operators that the node follows, through nodes that have not joined one, at most
  // kMostAnchors by decreasing work. Remembered for the nodes that follow this one.
  std::vector<TensorId> anchors_of(size_t place) {
    const GraphNode& node = joining_.node(place);
    std::vector<TensorId> found;
    const auto add = [&](TensorId id) {
      const auto producer =
          id == kNoTensor ? std::nullopt : joining_.producer_of(id, joining_.uses_of(id));
      const bool writes =
          producer && joining_.node(*producer).op && joining_.node(*producer).outputs[0] == id;
      if (writes && std::ranges::find(found, id) == found.end()) found.push_back(id);
    };
    for (const TensorId id : node.inputs) {
      add(id);
      if (const auto known = anchors_.find(id); known != anchors_.end())
        for (const TensorId anchor : known->second) add(anchor);
    }
    std::ranges::stable_sort(found, std::greater(), [&](TensorId id) {
      return work_of(joining_.producer_of(id, joining_.uses_of(id)));
    });
    if (found.size() > kMostAnchors) found.resize(kMostAnchors);
    anchors_[node.outputs[0]] = found;
    return found;
  }

  // The nodes that read the tensor or each other's outputs, if all are elementwise and all paths
  // end at this place.
  std::optional<std::vector<size_t>> places_between(TensorId from, size_t place) {
    std::set<size_t> waiting;
    std::vector<size_t> members;
    for (TensorId reached = from;;) {
      if (outputs_.contains(reached) || static_cast<size_t>(reached) >= readers_.size()) return {};
      const std::vector<size_t>& readers = readers_[static_cast<size_t>(reached)];
      waiting.insert(readers.begin(), readers.end());
      if (waiting.empty() || members.size() == kMostBetween) return {};
      const size_t next = waiting.extract(waiting.begin()).value();
      const GraphNode& node = joining_.node(next);
      const bool joins = next <= place && node.operator_class == OperatorClass::elementwise &&
                         node.outputs.size() == 1 && node.outputs[0] != kNoTensor;
      if (!joins) return {};
      members.push_back(next);
      if (next == place) return waiting.empty() ? std::optional(members) : std::nullopt;
      reached = node.outputs[0];
    }
  }

  static constexpr size_t kMostAnchors = 4;

  Graph& graph_;
  const bool values_;
  const std::set<TensorId> outputs_;
  std::vector<std::vector<size_t>> readers_;  // places of the readers of each initial tensor
  std::unordered_map<TensorId, std::vector<TensorId>> anchors_;
  Joining joining_;
  std::unordered_map<TensorId, size_t> sigmoid_;  // place of the Sigmoid that writes a tensor
};

}  // namespace

Result<JoinedNodes> join_tails(Graph& graph, bool values) { return Tails(graph, values).run(); }

}  // namespace dovetail
