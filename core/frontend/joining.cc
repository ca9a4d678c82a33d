// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/joining.h"

#include <algorithm>
#include <utility>

#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

int64_t channels_of(const GraphNode& target) {
  return num_elements(logical_shape(*target.op, Operand::bias));
}

}  // namespace

Joining::Joining(Graph& graph) : graph_(graph), uses_(count_uses(graph)) {}

Result<void> Joining::run(const Rule& rule) {
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    if (const auto taken_in = TRY(rule(i))) {
      GraphNode producer = std::exchange(graph_.nodes[*taken_in], {});
      producer.outputs = graph_.nodes[i].outputs;
      producer.outputs.resize(1);
      take_in(producer, i);
      graph_.nodes[i] = std::move(producer);
    }
    if (graph_.nodes[i].op) producer_[graph_.nodes[i].outputs[0]] = i;
  }
  std::erase_if(graph_.nodes, [](const GraphNode& node) { return node.outputs.empty(); });
  return {};
}

void Joining::take_in(GraphNode& producer, size_t place) {
  joined[producer.name].push_back(graph_.nodes[place].name);
  graph_.nodes[place] = {};
}

std::optional<size_t> Joining::producer_of(TensorId id, int64_t reads) const {
  if (id == kNoTensor || uses_of(id) != reads) return std::nullopt;
  const auto found = producer_.find(id);
  return found == producer_.end() ? std::nullopt : std::optional<size_t>(found->second);
}

int64_t Joining::uses_of(TensorId id) const {
  const auto index = static_cast<size_t>(id);
  return index < uses_.size() ? uses_[index] : 1;
}

bool Joining::append(GraphNode& target, const Epilogue& epilogue) {
  if (target.op->tail) return false;
  Operator longer = *target.op;
  longer.epilogues.push_back(epilogue);
  auto checked = canonical(std::move(longer));
  if (!checked) return false;
  target.op = *std::move(checked);
  return true;
}

void Joining::insert_operand(GraphNode& target, Operand operand, TensorId id) {
  const auto operands = input_operands(*target.op);
  const auto place = std::ranges::find(operands, operand) - operands.begin();
  target.inputs.insert(target.inputs.begin() + place, id);
}

bool Joining::add_bias(GraphNode& target, TensorId other) {
  if (has_epilogue(*target.op, EpilogueKind::bias) || !is_of_channels(target, other)) return false;
  if (!append(target, {EpilogueKind::bias})) return false;
  insert_operand(target, Operand::bias, bias_of(target, other));
  return true;
}

std::optional<std::vector<float>> Joining::value_of_each_channel(const GraphNode& target,
                                                                 TensorId other) const {
  if (!is_of_channels(target, other) || !has_floats(tensor_of(graph_, other))) return std::nullopt;
  std::vector<float> values = floats_of(*tensor_of(graph_, other).data);
  if (values.size() == 1) values.assign(static_cast<size_t>(channels_of(target)), values[0]);
  return values;
}

bool Joining::is_of_channels(const GraphNode& target, TensorId other) const {
  if (other == kNoTensor) return false;
  const GraphTensor& tensor = tensor_of(graph_, other);
  const GraphTensor& output = tensor_of(graph_, target.outputs[0]);
  if (!tensor.shape || !tensor.constant || tensor.type != output.type) return false;
  const std::vector<int64_t>& shape = *tensor.shape;
  const int64_t channels = channels_of(target);
  const size_t rank = output.shape->size();
  // The position of the channel axis, counted from the last.
  const size_t from_last = is_matrix_product(target.op->kind) ? 1 : rank - 1;
  if (num_elements(shape) == 1) return shape.size() <= rank;
  if (num_elements(shape) != channels || shape.size() > rank || shape.size() < from_last)
    return false;
  return shape[shape.size() - from_last] == channels;
}

TensorId Joining::bias_of(const GraphNode& target, TensorId id) {
  const int64_t channels = channels_of(target);
  const GraphTensor tensor = tensor_of(graph_, id);
  if (num_elements(*tensor.shape) == channels || !has_floats(tensor)) return id;
  return add_constant(graph_, tensor.name + ".repeated", tensor.type, {channels},
                      *value_of_each_channel(target, id));
}

}  // namespace dovetail
