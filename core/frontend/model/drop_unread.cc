// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/import_steps.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/frontend/model/bodies.h"
#include "core/frontend/opsets/onnx_schemas.h"

namespace dovetail {
namespace {

class UnreadNames {
 public:
  UnreadNames(onnx::GraphProto& graph, int64_t opset) : graph_(graph), opset_(opset) {
    for (int i = 0; i < graph.node_size(); ++i)
      for (const std::string& output : graph.node(i).output())
        if (!output.empty()) writers_.emplace(output, i);
    needed_.resize(static_cast<size_t>(graph.node_size()), false);
  }

  void drop() {
    for (auto& node : *graph_.mutable_node())
      for (auto& attribute : *node.mutable_attribute())
        if (attribute.has_g()) UnreadNames(*attribute.mutable_g(), opset_).drop();
    for (const auto& output : graph_.output()) read(output.name());
    // A worklist and not a reverse traversal: nodes in a file may be in any order; a wrong order is
    // refused later, by name.
    while (!waiting_.empty()) {
      const std::string name = waiting_.back();
      waiting_.pop_back();
      for (auto [at, end] = writers_.equal_range(name); at != end; ++at) need(at->second);
    }
    drop_nodes();
    drop_initializers();
  }

 private:
  void read(const std::string& name) {
    if (!name.empty() && read_.insert(name).second) waiting_.push_back(name);
  }

  void need(int number) {
    if (needed_[static_cast<size_t>(number)]) return;
    needed_[static_cast<size_t>(number)] = true;
    const onnx::NodeProto& node = graph_.node(number);
    for (const std::string& input : node.input()) read(input);
    std::set<std::string> captures;
    collect_captures(node, captures);
    for (const std::string& name : captures) read(name);
  }

  void drop_nodes() {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (!needed_[static_cast<size_t>(i)]) continue;
      drop_outputs(*graph_.mutable_node(i));
      kept.Add()->Swap(graph_.mutable_node(i));
    }
    graph_.mutable_node()->Swap(&kept);
  }

  // The mask of a Dropout and other optional outputs.
  void drop_outputs(onnx::NodeProto& node) const {
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    const auto* const schema =
        standard ? onnx_schemas().GetSchema(node.op_type(), static_cast<int>(opset_), "") : nullptr;
    if (schema == nullptr) return;
    const auto& formal = schema->outputs();
    for (int i = 0; i < node.output_size() && i < std::ssize(formal); ++i)
      if (formal[static_cast<size_t>(i)].GetOption() == onnx::OpSchema::Optional &&
          !read_.contains(node.output(i)))
        node.set_output(i, "");
    while (node.output_size() > 1 && node.output(node.output_size() - 1).empty())
      node.mutable_output()->RemoveLast();
  }

  // In older files initializers are inputs as well; without its data one would be a real input.
  void drop_initializers() {
    google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
    std::set<std::string> gone;
    for (auto& tensor : *graph_.mutable_initializer())
      if (read_.contains(tensor.name()))
        kept.Add()->Swap(&tensor);
      else
        gone.insert(tensor.name());
    graph_.mutable_initializer()->Swap(&kept);
    google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
    for (auto& input : *graph_.mutable_input())
      if (!gone.contains(input.name())) inputs.Add()->Swap(&input);
    graph_.mutable_input()->Swap(&inputs);
  }

  onnx::GraphProto& graph_;
  int64_t opset_ = 0;
  std::unordered_multimap<std::string, int> writers_;
  std::set<std::string> read_;
  std::vector<std::string> waiting_;
  std::vector<bool> needed_;
};

}  // namespace

void drop_unread(onnx::ModelProto& model, int64_t opset) {
  UnreadNames(*model.mutable_graph(), opset).drop();
}

}  // namespace dovetail
