// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

// True for an operator that can multiply its weights by a factor per channel.
bool can_scale(const Graph& graph, const GraphNode& producer) {
  if (is_matrix_product(producer.op->kind)) return false;
  for (size_t i = 1; i < producer.inputs.size(); ++i)
    if (!has_floats(tensor_of(graph, producer.inputs[i]))) return false;
  return producer.op->epilogues.empty() ||
         producer.op->epilogues == std::vector<Epilogue>{{EpilogueKind::bias}};
}

bool is_of_constants(const Graph& graph, const GraphNode& normalization, int64_t channels) {
  if (normalization.inputs.size() != 5) return false;
  for (size_t i = 1; i < 5; ++i) {
    const TensorId id = normalization.inputs[i];
    if (id == kNoTensor || !has_floats(tensor_of(graph, id))) return false;
    if (num_elements(*tensor_of(graph, id).shape) != channels) return false;
  }
  return true;
}

Affine affine_of(const Graph& graph, const GraphNode& normalization, double epsilon) {
  const auto floats = [&](size_t i) {
    return tensor_of(graph, normalization.inputs[i]).data->as<float>();
  };
  const auto scale = floats(1), shift = floats(2), mean = floats(3), variance = floats(4);
  Affine affine;
  for (size_t o = 0; o < scale.size(); ++o) {
    const double factor = scale[o] / std::sqrt(variance[o] + epsilon);
    affine.factor.push_back(static_cast<float>(factor));
    affine.shift.push_back(static_cast<float>(shift[o] - factor * mean[o]));
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
  Floats scaled = floats_of(*weights.data);
  for (size_t i = 0; i < scaled.size(); ++i)
    scaled[i] *=
        affine.factor[static_cast<size_t>(output_channel(op, static_cast<int64_t>(i) / taps))];
  return add_constant(graph, weights.name + ".folded", weights.type, *weights.shape,
                      std::move(scaled));
}

// factor * y + shift instead of y: new weights, if a factor is not 1, and a bias.
void scale_outputs(Graph& graph, GraphNode& producer, const Affine& affine) {
  if (std::ranges::any_of(affine.factor, [](float factor) { return factor != 1; }))
    producer.inputs[1] = scale_weights(graph, *producer.op, producer.inputs[1], affine);
  Floats bias = affine.shift;
  if (producer.inputs.size() > 2) {
    const auto before = tensor_of(graph, producer.inputs[2]).data->as<float>();
    for (size_t o = 0; o < bias.size(); ++o) bias[o] += affine.factor[o] * before[o];
  }
  const ElementType type = tensor_of(graph, producer.inputs[1]).type;
  const TensorId id = add_constant(graph, producer.name + ".bias", type,
                                   {producer.op->out_channels}, std::move(bias));
  producer.inputs.resize(2);
  producer.inputs.push_back(id);
  producer.op->epilogues = {{EpilogueKind::bias}};
}

// y = scale * (x - mean) / sqrt(variance + epsilon) + shift, where all four are constants.
Result<std::optional<Affine>> normalization_of(const Graph& graph, const GraphNode& node,
                                               int64_t channels) {
  if (!is_of_constants(graph, node, channels)) return std::nullopt;
  if (TRY(integer_attribute(node, "training_mode", 0)) != 0) return std::nullopt;
  return affine_of(graph, node, TRY(number_attribute(node, "epsilon", 1e-5)));
}

class Normalization {
 public:
  explicit Normalization(Graph& graph) : graph_(graph), joining_(graph) {}

  Result<void> run() {
    return joining_.run([&](size_t place) { return join(joining_.node(place)); });
  }

 private:
  using Place = std::optional<size_t>;

  Result<Place> join(const GraphNode& node) {
    if (node.inputs.empty() || node.outputs.empty() || node.outputs[0] == kNoTensor)
      return std::nullopt;
    if (node.type == "Add" || node.type == "Mul") return join_constant(node);
    if (node.type == "BatchNormalization") return join_normalization(node);
    return std::nullopt;
  }

  Result<Place> join_normalization(const GraphNode& node) {
    const auto place = joining_.producer_of(node.inputs[0]);
    if (!place) return std::nullopt;
    GraphNode& producer = joining_.node(*place);
    if (!can_scale(graph_, producer)) return std::nullopt;
    const auto affine = TRY(normalization_of(graph_, node, producer.op->out_channels));
    if (!affine) return std::nullopt;
    scale_outputs(graph_, producer, *affine);
    return place;
  }

  // MatMul has no bias by ONNX's definition, a convolution has.
  Place join_constant(const GraphNode& node) {
    if (node.inputs.size() != 2) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      const auto place = joining_.producer_of(node.inputs[at]);
      if (!place || is_matrix_product(joining_.node(*place).op->kind)) continue;
      if (takes_constant(joining_.node(*place), node.type, node.inputs[1 - at])) return place;
    }
    return std::nullopt;
  }

  bool takes_constant(GraphNode& producer, const std::string& type, TensorId other) {
    if (type == "Add" && joining_.add_bias(producer, other)) return true;
    if (!can_scale(graph_, producer)) return false;
    std::optional<Floats> values = joining_.value_of_each_channel(producer, other);
    if (!values) return false;
    Affine affine{Floats(values->size(), 1), Floats(values->size(), 0)};
    (type == "Add" ? affine.shift : affine.factor) = *std::move(values);
    scale_outputs(graph_, producer, affine);
    return true;
  }

  Graph& graph_;
  Joining joining_;
};

}  // namespace

Result<void> fold_normalizations(Graph& graph) { return Normalization(graph).run(); }

}  // namespace dovetail
