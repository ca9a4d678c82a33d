// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/choose_branches.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/frontend/model/bodies.h"
#include "core/frontend/model/node_writer.h"

namespace dovetail {
namespace {

bool gives_tensors(const onnx::GraphProto* body, int count) {
  return body != nullptr && body->output_size() == count &&
         std::ranges::all_of(body->output(), [](const onnx::ValueInfoProto& output) {
           return output.type().value_case() != onnx::TypeProto::kSequenceType &&
                  output.type().value_case() != onnx::TypeProto::kOptionalType;
         });
}

bool is_one_number(const onnx::ValueInfoProto& input) {
  return input.type().has_tensor_type() && input.type().tensor_type().has_shape() &&
         std::ranges::all_of(input.type().tensor_type().shape().dim(),
                             [](const auto& dim) { return dim.dim_value() == 1; });
}

// Producers finds the names from which a name is computed.
class Producers {
 public:
  explicit Producers(const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) inputs_[input.name()] = &input;
    for (const auto& tensor : graph.initializer()) inputs_.erase(tensor.name());
    for (const auto& node : graph.node()) {
      std::set<std::string> read(node.input().begin(), node.input().end());
      collect_captures(node, read);
      for (const std::string& output : node.output()) read_for_[output] = read;
    }
  }

  // The only input that a value depends on, if it is one number; else empty.
  std::string only_number_behind(const std::string& name) const {
    std::set<std::string> seen{name};
    std::vector<std::string> waiting{name};
    std::vector<const onnx::ValueInfoProto*> found;
    while (!waiting.empty()) {
      const std::string next = std::move(waiting.back());
      waiting.pop_back();
      if (const auto input = inputs_.find(next); input != inputs_.end())
        found.push_back(input->second);
      if (const auto read = read_for_.find(next); read != read_for_.end())
        for (const std::string& one : read->second)
          if (seen.insert(one).second) waiting.push_back(one);
    }
    return found.size() == 1 && is_one_number(*found[0]) ? found[0]->name() : "";
  }

 private:
  std::map<std::string, const onnx::ValueInfoProto*> inputs_;
  std::map<std::string, std::set<std::string>> read_for_;
};

// Inlines both branches, one after the other. Returns the names of their outputs.
std::array<std::vector<std::string>, 2> inline_both(
    const std::array<const onnx::GraphProto*, 2>& bodies, const std::string& prefix,
    onnx::GraphProto& graph, google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  std::array<std::vector<std::string>, 2> outputs;
  for (const size_t b : {0, 1}) {
    const std::string branch = prefix + (b == 0 ? "/then" : "/else");
    InlinedBody inlined = inline_body(*bodies[b], branch, {});
    outputs[b] = inlined.outputs;
    for (auto& inner : inlined.nodes) {
      if (inner.name().empty()) inner.set_name(branch + "/" + inner.op_type());
      nodes.Add()->Swap(&inner);
    }
    for (auto& tensor : inlined.initializers) graph.add_initializer()->Swap(&tensor);
  }
  return outputs;
}

}  // namespace

std::vector<BranchChoice> choose_between_branches(onnx::ModelProto& model) {
  if (std::ranges::find(model.graph().node(), "If", &onnx::NodeProto::op_type) ==
      model.graph().node().end())
    return {};
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  std::vector<BranchChoice> chosen;
  const Producers producers(model.graph());
  onnx::GraphProto& graph = *model.mutable_graph();
  for (auto& node : *graph.mutable_node()) {
    const std::array bodies{body_of(node, "then_branch"), body_of(node, "else_branch")};
    const bool known = node.op_type() == "If" && node.input_size() == 1 &&
                       std::ranges::all_of(bodies, [&](const onnx::GraphProto* body) {
                         return gives_tensors(body, node.output_size());
                       });
    if (!known || node.output(0).empty()) {
      nodes.Add()->Swap(&node);
      continue;
    }
    const std::string prefix = node.output(0);
    // A condition may be a tensor of one element; Where would add its axes to a scalar.
    *graph.add_initializer() = whole_tensor(prefix + "/condition/shape", {});
    *nodes.Add() =
        make_node("Reshape", {node.input(0), prefix + "/condition/shape"}, prefix + "/condition");
    const auto outputs = inline_both(bodies, prefix, graph, nodes);
    const std::string input = producers.only_number_behind(node.input(0));
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      const auto at = static_cast<size_t>(i);
      *nodes.Add() = make_node("Where", {prefix + "/condition", outputs[0][at], outputs[1][at]},
                               node.output(i));
      nodes.rbegin()->set_name(label_of(node) + "/chosen");
      chosen.push_back({label_of(node), prefix, node.output(i), input});
    }
  }
  graph.mutable_node()->Swap(&nodes);
  return chosen;
}

std::string constant_hint(const std::vector<BranchChoice>& choices, std::string_view message) {
  const auto is_about = [message](const BranchChoice& choice) {
    return std::ranges::any_of(
        std::array{choice.node + "/chosen", choice.prefix + "/then", choice.prefix + "/else"},
        [message](const std::string& name) { return message.find(name) != message.npos; });
  };
  for (const BranchChoice& choice : choices)
    if (!choice.input.empty() && is_about(choice))
      return fmt::format("; --constant {}=VALUE fixes the input that node {} depends on",
                         choice.input, choice.node);
  return "";
}

}  // namespace dovetail
