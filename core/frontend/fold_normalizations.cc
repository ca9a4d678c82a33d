// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"
#include "core/frontend/joining.h"

namespace dovetail {
namespace {

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

class Normalization {
 public:
  explicit Normalization(Graph& graph) : graph_(graph), joining_(graph) {}

  Result<void> run() {
    return joining_.run([&](size_t place) { return join(joining_.node(place)); });
  }

 private:
  Result<std::optional<size_t>> join(const GraphNode& node) {
    std::optional<size_t> none;
    if (node.inputs.empty() || node.outputs.empty() || node.outputs[0] == kNoTensor) return none;
    if (node.type == "Add") return join_bias(node);
    if (node.type != "BatchNormalization") return none;
    const auto producer = joining_.producer_of(node.inputs[0]);
    if (!producer) return none;
    const bool folded = TRY(fold_batch_normalization(graph_, node, joining_.node(*producer)));
    return folded ? producer : none;
  }

  // An operator that has a bias by ONNX's definition gets the one that is added behind it. MatMul
  // has none.
  std::optional<size_t> join_bias(const GraphNode& node) {
    if (node.inputs.size() != 2) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      const auto producer = joining_.producer_of(node.inputs[at]);
      if (!producer || is_matrix_product(joining_.node(*producer).op->kind)) continue;
      if (joining_.add_bias(joining_.node(*producer), node.inputs[1 - at])) return producer;
    }
    return std::nullopt;
  }

  Graph& graph_;
  Joining joining_;
};

}  // namespace

Result<void> fold_normalizations(Graph& graph) { return Normalization(graph).run(); }

}  // namespace dovetail
