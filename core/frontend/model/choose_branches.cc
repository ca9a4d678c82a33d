// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/frontend/model/control_flow.h"

#if DOVETAIL_HAVE_ONNX
#include <onnx/onnx_pb.h>

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

}  // namespace

std::vector<std::string> choose_between_branches(onnx::ModelProto& model) {
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  std::vector<std::string> chosen;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (auto& node : *graph.mutable_node()) {
    const onnx::GraphProto* const bodies[] = {body_of(node, "then_branch"),
                                              body_of(node, "else_branch")};
    const bool known = node.op_type() == "If" && node.input_size() == 1 &&
                       std::ranges::all_of(bodies, [&](const onnx::GraphProto* body) {
                         return gives_tensors(body, node.output_size());
                       });
    if (!known || node.output(0).empty()) {
      nodes.Add()->Swap(&node);
      continue;
    }
    const std::string prefix = node.output(0);
    // A condition may be a tensor of one element; Where would add its axis to a single number.
    *graph.add_initializer() = whole_tensor(prefix + "/condition/shape", {});
    *nodes.Add() =
        make_node("Reshape", {node.input(0), prefix + "/condition/shape"}, prefix + "/condition");
    std::vector<std::string> outputs[2];
    for (const int b : {0, 1}) {
      InlinedBody inlined = inline_body(*bodies[b], prefix + (b == 0 ? "/then" : "/else"), {});
      outputs[b] = inlined.outputs;
      for (auto& inner : inlined.nodes) nodes.Add()->Swap(&inner);
      for (auto& tensor : inlined.initializers) graph.add_initializer()->Swap(&tensor);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      const auto at = static_cast<size_t>(i);
      *nodes.Add() = make_node("Where", {prefix + "/condition", outputs[0][at], outputs[1][at]},
                               node.output(i));
      nodes.rbegin()->set_name(label_of(node) + "/chosen");
      chosen.push_back(node.output(i));
    }
  }
  graph.mutable_node()->Swap(&nodes);
  return chosen;
}

}  // namespace dovetail
#endif
