// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/node_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/fail.h"
#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/onnx_operators.h"

namespace dovetail {
namespace {

using Writer = RegionWriter;

constexpr std::string_view kViews = "Dropout Flatten Identity Reshape Squeeze Unsqueeze";

// Node types that no region can express.
struct Refused {
  std::string_view reason, types;
};
constexpr Refused kRefused[] = {
    {"control flow", "If Loop Scan"},
    {"recurrence", "GRU LSTM RNN"},
    {"random numbers",
     "Bernoulli Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike"},
    {"sequences",
     "ConcatFromSequence SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert "
     "SequenceLength SequenceMap SplitToSequence"},
    {"optional values", "Optional OptionalGetElement OptionalHasElement"},
    {"strings", "StringNormalizer TfIdfVectorizer"},
    {"signal processing", "DFT MelWeightMatrix STFT"},
    {"an output whose shape depends on data", "Compress NonMaxSuppression NonZero Unique"},
};

// The tensor names of operators' computations (core/ir/operator/computation.h).
std::string_view tensor_name(Operand operand) {
  switch (operand) {
    case Operand::input: return "X";
    case Operand::weight: return "W";
    case Operand::bias: return "bias";
    case Operand::addend: return "add";
    case Operand::output: break;
  }
  return "Y";
}

NodeRegion operator_region(const GraphNode& node) {
  const std::vector<Operand> operands = input_operands(*node.op);
  NodeRegion region;
  region.spec = print(*node.op);
  region.made = {{"Y", node.outputs[0]}};
  for (size_t i = 0; i < operands.size(); ++i)
    region.given.emplace_back(tensor_name(operands[i]), node.inputs.at(i));
  if (node.op->tail)
    for (const TailTensor& tensor : node.op->tail->tensors)
      region.given.emplace_back(tensor.name, node.inputs.at(region.given.size()));
  return region;
}

Result<NodeRegion> view_region(const Graph& graph, const GraphNode& node) {
  const TensorId from = input_at(node, 0);
  if (from == kNoTensor) return refuse("its operand is left out");
  const GraphTensor &input = tensor_of(graph, from), &output = tensor_of(graph, node.outputs[0]);
  if (!input.shape || !output.shape) return refuse("a shape that is only known at run time");
  if (num_elements(*input.shape) != num_elements(*output.shape))
    return fail("node {} ({}) makes [{}] of [{}]; expected as many elements", node.name, node.type,
                fmt::join(*output.shape, ","), fmt::join(*input.shape, ","));
  NodeRegion view;
  view.given = {{"A", node.inputs.at(0)}};
  view.made = {{"Y", node.outputs[0]}};
  return view;
}

NodeRegion written_region(const Graph& graph, const GraphNode& node) {
  const auto found = node.attributes.find(std::string(kWrittenRegion));
  const auto* text =
      found == node.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (text == nullptr) return refuse("no text of a region");
  NodeRegion written{.spec = *text, .given = {}, .made = {}, .reason = {}};
  const Result<Region>& region = written.spec.value();
  if (!region) return refuse(region.error().message);
  const std::vector<Tensor> given = given_tensors(*region);
  if (given.size() != node.inputs.size() || region->outputs.size() != node.outputs.size())
    return refuse(fmt::format("found {} inputs and {} outputs; expected {} and {}, as its region",
                              node.inputs.size(), node.outputs.size(), given.size(),
                              region->outputs.size()));
  std::string mismatch;
  const auto name = [&](const Tensor& tensor, TensorId id, NodeRegion::NamedTensors& names) {
    names.emplace_back(tensor.name, id);
    if (id == kNoTensor || !is_same_tensor(tensor, tensor_of(graph, id))) mismatch = tensor.name;
  };
  for (size_t i = 0; i < given.size(); ++i) name(given[i], node.inputs[i], written.given);
  const std::vector<Tensor> all = tensors_of(*region);
  for (size_t o = 0; o < node.outputs.size(); ++o)
    name(*std::ranges::find(all, region->outputs[o], &Tensor::name), node.outputs[o], written.made);
  if (mismatch.empty()) return written;
  return refuse(fmt::format("its region has another shape or type of {}", mismatch));
}

std::string rank_refusal(const Writer& write, SameRank same_rank) {
  const size_t most = same_rank == SameRank::all ? Writer::kAll : 1;
  const size_t inputs = same_rank == SameRank::none ? 0 : std::min(write.num_inputs(), most);
  const size_t outputs = write.node().type == "BatchNormalization" ? 1 : write.num_outputs();
  for (size_t o = 0; o < outputs; ++o)
    for (size_t i = 0; i < inputs && write.has_output(o); ++i)
      if (write.has_input(i) && write.shape(i).size() != write.output_shape(o).size())
        return fmt::format("an input of rank {} beside an output of rank {}", write.shape(i).size(),
                           write.output_shape(o).size());
  return "";
}

// True unless a Dropout's training mode, which is an input, is omitted or constant false.
bool trains(const Graph& graph, TensorId mode) {
  if (mode == kNoTensor) return false;
  const GraphTensor& tensor = tensor_of(graph, mode);
  return !has_integers(tensor) || integers_of(*tensor.data) != std::vector<int64_t>{0};
}

}  // namespace

bool is_same_tensor(const Tensor& of_region, const GraphTensor& of_graph) {
  if (!of_graph.shape || of_region.type != of_graph.type) return false;
  const std::vector<int64_t> shape = shape_of(of_region);
  return shape == *of_graph.shape || (of_graph.shape->empty() && shape == std::vector<int64_t>{1});
}

bool is_view(const NodeRegion& region) { return region.spec.empty() && region.reason.empty(); }

Result<NodeRegion> node_region(const Graph& graph, const GraphNode& node) {
  if (node.op) return operator_region(node);
  if (node.type == kWrittenNode) return written_region(graph, node);
  const auto found = node.attributes.find("not_tuned");
  if (found != node.attributes.end())
    if (const auto* reason = std::get_if<std::string>(&found->second)) return refuse(*reason);
  for (const Refused& refused : kRefused)
    if (is_one_of(refused.types, node.type)) return refuse(std::string(refused.reason));
  if (node.type == "Dropout" && trains(graph, input_at(node, 2))) return refuse("that trains");
  const bool one_output =
      std::ranges::count(node.outputs, kNoTensor) + 1 == std::ssize(node.outputs);
  if (is_one_of(kViews, node.type) && one_output && node.outputs[0] != kNoTensor)
    return view_region(graph, node);
  const OnnxOperators* const known = find_operators(node.type);
  if (known == nullptr || known->rule == nullptr) return refuse("an operator without a rule");
  RegionWriter write(graph, node, known->inputs);
  std::string reason = write.refusal(known->takes);
  if (reason.empty()) reason = rank_refusal(write, known->same_rank);
  return reason.empty() ? known->rule(write) : refuse(std::move(reason));
}

}  // namespace dovetail
