// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/import_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "core/frontend/graph_edit.h"

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

using Floats = std::vector<float>;

// factor * x + shift, a pair for every output channel.
struct Affine {
  Floats factor;
  Floats shift;
};

bool is_foldable(const Graph& graph, const GraphNode& normalization, const GraphNode& producer) {
  if (is_matrix_product(producer.op->kind) || normalization.inputs.size() != 5) return false;
  const bool plain = producer.op->epilogues.empty() ||
                     producer.op->epilogues == std::vector<Epilogue>{{EpilogueKind::bias}};
  for (size_t i = 1; i < producer.inputs.size(); ++i)
    if (!has_floats(tensor_of(graph, producer.inputs[i]))) return false;
  for (size_t i = 1; i < 5; ++i) {
    const TensorId id = normalization.inputs[i];
    if (id == kNoTensor || !has_floats(tensor_of(graph, id))) return false;
    if (num_elements(*tensor_of(graph, id).shape) != producer.op->out_channels) return false;
  }
  return plain;
}

Affine affine_of(const Graph& graph, const GraphNode& normalization, double epsilon) {
  const auto floats = [&](size_t i) -> const Floats& {
    return tensor_of(graph, normalization.inputs[i]).data->floats;
  };
  Affine affine;
  for (size_t o = 0; o < floats(1).size(); ++o) {
    const double factor = floats(1)[o] / std::sqrt(floats(4)[o] + epsilon);
    affine.factor.push_back(static_cast<float>(factor));
    affine.shift.push_back(static_cast<float>(floats(2)[o] - factor * floats(3)[o]));
  }
  return affine;
}

// The output channel that each block of kernel taps of the weights belongs to.
int64_t output_channel(const Operator& op, int64_t block) {
  const int64_t inner =
      is_transposed(op.kind) ? op.out_channels / op.groups : op.in_channels / op.groups;
  if (!is_transposed(op.kind)) return block / inner;
  const int64_t group = block / inner / (op.in_channels / op.groups);
  return group * inner + block % inner;
}

TensorId scale_weights(Graph& graph, const Operator& op, TensorId id, const Affine& affine) {
  const GraphTensor weights = tensor_of(graph, id);
  int64_t taps = 1;
  for (const SpatialAxis& axis : op.spatial) taps *= axis.kernel;
  ConstantData data{weights.data->floats, {}};
  for (size_t i = 0; i < data.floats.size(); ++i)
    data.floats[i] *=
        affine.factor[static_cast<size_t>(output_channel(op, static_cast<int64_t>(i) / taps))];
  return add_constant(graph, weights.name + ".folded", weights.type, *weights.shape,
                      std::move(data));
}

// Folds y = scale * (x - mean) / sqrt(variance + epsilon) + shift into the operator that makes x:
// true if `normalization` joined `producer`, which then has new weights and a bias; all must be
// constants with data, and the producer's epilogues at most a bias.
Result<bool> fold_batch_normalization(Graph& graph, const GraphNode& normalization,
                                      GraphNode& producer) {
  if (!is_foldable(graph, normalization, producer)) return false;
  if (TRY(integer_attribute(normalization, "training_mode", 0)) != 0) return false;
  const Affine affine =
      affine_of(graph, normalization, TRY(number_attribute(normalization, "epsilon", 1e-5)));
  producer.inputs[1] = scale_weights(graph, *producer.op, producer.inputs[1], affine);
  ConstantData bias{affine.shift, {}};
  if (producer.inputs.size() > 2) {
    const Floats& before = tensor_of(graph, producer.inputs[2]).data->floats;
    for (size_t o = 0; o < bias.floats.size(); ++o) bias.floats[o] += affine.factor[o] * before[o];
  }
  const ElementType type = tensor_of(graph, producer.inputs[1]).type;
  const TensorId id = add_constant(graph, producer.name + ".bias", type,
                                   {producer.op->out_channels}, std::move(bias));
  producer.inputs.resize(2);
  producer.inputs.push_back(id);
  producer.op->epilogues = {{EpilogueKind::bias}};
  return true;
}

class Fusion {
 public:
  explicit Fusion(Graph& graph) : graph_(graph), uses_(count_uses(graph)) {}

  Result<void> run() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto joined = TRY(join(graph_.nodes[i]));
      size_t place = i;
      if (joined) {
        // The producer moves here, so that whatever it reads now has been written before.
        GraphNode producer = std::move(graph_.nodes[*joined]);
        producer.outputs = graph_.nodes[i].outputs;
        producer.outputs.resize(1);
        graph_.nodes[*joined] = {};
        graph_.nodes[i] = std::move(producer);
      }
      if (graph_.nodes[place].op) producer_[graph_.nodes[place].outputs[0]] = place;
      if (graph_.nodes[place].type == "Sigmoid") sigmoid_[graph_.nodes[place].outputs[0]] = place;
    }
    std::erase_if(graph_.nodes, [](const GraphNode& node) { return node.outputs.empty(); });
    return {};
  }

 private:
  // The place of the operator that makes the tensor for `readers` reads of this node only.
  std::optional<size_t> producer_of(TensorId id, int64_t readers = 1) const {
    if (id == kNoTensor || uses_of(id) != readers) return std::nullopt;
    const auto found = producer_.find(id);
    return found == producer_.end() ? std::nullopt : std::optional<size_t>(found->second);
  }

  int64_t uses_of(TensorId id) const {
    const auto index = static_cast<size_t>(id);
    return index < uses_.size() ? uses_[index] : 1;
  }

  // The place of the operator that took the node in.
  Result<std::optional<size_t>> join(const GraphNode& node) {
    std::optional<size_t> none;
    if (node.operator_class != OperatorClass::elementwise || node.inputs.empty()) return none;
    if (node.outputs.empty() || node.outputs[0] == kNoTensor) return none;
    if (node.type == "Add") return join_add(node);
    if (node.type == "Mul") return join_silu(node);
    const auto producer = producer_of(node.inputs[0]);
    if (!producer) return none;
    GraphNode& target = graph_.nodes[*producer];
    if (node.type == "BatchNormalization")
      return TRY(fold_batch_normalization(graph_, node, target)) ? producer : none;
    const auto epilogue = activation_of(graph_, node);
    return epilogue && append(target, *epilogue) ? producer : none;
  }

  // Appends if the operator stays valid: bias and add once, bounds in order.
  bool append(GraphNode& target, const Epilogue& epilogue) {
    Operator longer = *target.op;
    longer.epilogues.push_back(epilogue);
    auto checked = canonical(std::move(longer));
    if (!checked) return false;
    target.op = *std::move(checked);
    return true;
  }

  std::optional<size_t> join_add(const GraphNode& node) {
    if (node.inputs.size() != 2 || node.inputs[0] == node.inputs[1]) return std::nullopt;
    const auto first = producer_of(node.inputs[0]);
    const auto second = producer_of(node.inputs[1]);
    const bool second_is_larger = work_of(second) > work_of(first);
    for (const bool take_second : {second_is_larger, !second_is_larger}) {
      const auto producer = take_second ? second : first;
      if (producer && add_to(graph_.nodes[*producer], node.inputs[take_second ? 0 : 1]))
        return producer;
    }
    return std::nullopt;
  }

  double work_of(std::optional<size_t> place) const {
    return place ? nominal_flops(*graph_.nodes[*place].op) : 0;
  }

  // The other operand of an Add as bias, or as addend.
  bool add_to(GraphNode& target, TensorId other) {
    if (other == kNoTensor) return false;
    const GraphTensor tensor = tensor_of(graph_, other);
    const GraphTensor& output = tensor_of(graph_, target.outputs[0]);
    if (!tensor.shape || tensor.type != output.type) return false;
    if (tensor.constant && is_bias(target, *tensor.shape) && append(target, {EpilogueKind::bias})) {
      insert_operand(target, Operand::bias, bias_of(target, other));
      return true;
    }
    if (tensor.shape != output.shape || !append(target, {EpilogueKind::add})) return false;
    insert_operand(target, Operand::addend, other);
    return true;
  }

  // One value for every output channel (the last axis of gmm), or a single one that we can repeat.
  bool is_bias(const GraphNode& target, const std::vector<int64_t>& shape) const {
    if (has_epilogue(*target.op, EpilogueKind::bias)) return false;
    const bool matrix = is_matrix_product(target.op->kind);
    const int64_t channels = matrix ? target.op->n : target.op->out_channels;
    const size_t rank = tensor_of(graph_, target.outputs[0]).shape->size();
    const size_t from_last =
        matrix ? 1 : rank - 1;  // where the channel axis is, counted from behind
    if (num_elements(shape) == 1) return shape.size() <= rank;
    if (num_elements(shape) != channels || shape.size() > rank || shape.size() < from_last)
      return false;
    return shape[shape.size() - from_last] == channels;
  }

  TensorId bias_of(const GraphNode& target, TensorId id) {
    const int64_t channels = num_elements(logical_shape(*target.op, Operand::bias));
    const GraphTensor tensor = tensor_of(graph_, id);
    if (num_elements(*tensor.shape) == channels || !has_floats(tensor)) return id;
    ConstantData data;
    data.floats.assign(static_cast<size_t>(channels), tensor.data->floats[0]);
    return add_constant(graph_, tensor.name + ".repeated", tensor.type, {channels},
                        std::move(data));
  }

  static void insert_operand(GraphNode& target, Operand operand, TensorId id) {
    const auto operands = input_operands(*target.op);
    const auto place = std::ranges::find(operands, operand) - operands.begin();
    target.inputs.insert(target.inputs.begin() + place, id);
  }

  // Mul(x, Sigmoid(x)), both reading the operator's output.
  std::optional<size_t> join_silu(const GraphNode& node) {
    if (node.inputs.size() != 2) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      const TensorId gate = node.inputs[at];
      const TensorId value = node.inputs[1 - at];
      const auto sigmoid = sigmoid_.find(gate);
      if (sigmoid == sigmoid_.end() || uses_of(gate) != 1) continue;
      if (graph_.nodes[sigmoid->second].inputs[0] != value) continue;
      const auto producer = producer_of(value, 2);
      if (!producer || !append(graph_.nodes[*producer], {EpilogueKind::silu})) continue;
      graph_.nodes[sigmoid->second] = {};
      return producer;
    }
    return std::nullopt;
  }

  Graph& graph_;
  std::vector<int64_t>
      uses_;  // of the tensors that were there at the start; later ones have one reader
  std::unordered_map<TensorId, size_t> producer_;  // place of the operator that writes a tensor
  std::unordered_map<TensorId, size_t> sigmoid_;
};

}  // namespace

Result<void> fuse_epilogues(Graph& graph) { return Fusion(graph).run(); }

}  // namespace dovetail
