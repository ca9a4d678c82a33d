// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/frontend/import_steps.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/frontend/model/bodies.h"
#include "core/frontend/onnx/attributes.h"
#include "core/frontend/onnx/tensor.h"

namespace dovetail {
namespace {

class Converter {
 public:
  Converter(onnx::GraphProto& source, int64_t opset) : source_(source), opset_(opset) {}

  Result<Graph> convert() {
    graph_.name = source_.name();
    collect_types();
    TRY(convert_initializers());
    TRY(convert_inputs());
    for (const auto& node : source_.node())
      for (const auto& output : node.output()) written_later_.emplace(output, label_of(node));
    for (const auto& node : source_.node()) TRY(convert_node(node));
    return convert_outputs();
  }

 private:
  void collect_types() {
    for (const auto& info : source_.value_info()) types_[info.name()] = &info.type();
    for (const auto& info : source_.output()) types_[info.name()] = &info.type();
    for (const auto& info : source_.input()) types_[info.name()] = &info.type();
  }

  Result<TensorId> define(GraphTensor tensor) {
    const auto id = static_cast<TensorId>(graph_.tensors.size());
    if (!ids_.emplace(tensor.name, id).second)
      return fail("tensor {} is defined twice; expected it once", tensor.name);
    graph_.tensors.push_back(std::move(tensor));
    return id;
  }

  // kNoTensor for an omitted output.
  Result<TensorId> define_typed(const std::string& name) {
    if (name.empty()) return kNoTensor;
    GraphTensor tensor = TRY(typed(name));
    return define(std::move(tensor));
  }

  // A tensor with the type and shape from the model or from inference.
  Result<GraphTensor> typed(const std::string& name) const {
    GraphTensor tensor{.name = name, .type = ElementType::unknown, .shape = {}, .data = {}};
    const auto found = types_.find(name);
    if (found == types_.end() || !found->second->has_tensor_type()) return tensor;
    const auto& type = found->second->tensor_type();
    tensor.type = element_type_of(type.elem_type());
    if (!type.has_shape()) return tensor;
    std::vector<int64_t> shape;
    int64_t count = 1;
    for (const auto& dim : type.shape().dim()) {
      if (!dim.has_dim_value()) return tensor;
      const int64_t extent = dim.dim_value();
      if (extent < 0 || extent > kMaxTensorElements / std::max<int64_t>(count, 1))
        return fail(
            "tensor {} has an extent of {}; expected 0 or more, at most 2^40 elements in all", name,
            extent);
      count *= extent;
      shape.push_back(extent);
    }
    tensor.shape = std::move(shape);
    return tensor;
  }

  Result<void> convert_initializers() {
    if (source_.sparse_initializer_size() > 0)
      return fail("initializer {} is sparse; expected dense ones only",
                  source_.sparse_initializer(0).values().name());
    for (auto& proto : *source_.mutable_initializer()) {
      GraphTensor tensor = TRY(convert_tensor(proto));
      TRY(define(std::move(tensor)));
      onnx::TensorProto().Swap(&proto);  // all weights twice would be too much for large models
    }
    return {};
  }

  Result<void> convert_inputs() {
    for (const auto& input : source_.input()) {
      const bool is_initializer = ids_.contains(input.name());
      if (is_initializer && graph_.tensors[static_cast<size_t>(ids_[input.name()])].constant)
        continue;
      const TensorId id = TRY(define_typed(input.name()));
      graph_.inputs.push_back(id);
    }
    return {};
  }

  Result<TensorId> use(const onnx::NodeProto& node, const std::string& name) const {
    if (name.empty()) return kNoTensor;
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    const auto later = written_later_.find(name);
    if (later != written_later_.end())
      return fail(
          "node {} reads {}, which node {} writes later; expected no cycle and sorted nodes",
          label_of(node), name, later->second);
    return fail("node {} reads {}; expected an input, an initializer or a node of that name",
                label_of(node), name);
  }

  std::string unique_name(const onnx::NodeProto& node) {
    const size_t number = graph_.nodes.size();
    const std::string base =
        node.name().empty() ? fmt::format("{}_{}", node.op_type(), number) : node.name();
    std::string name = base;
    for (int suffix = 2; !node_names_.insert(name).second; ++suffix)
      name = fmt::format("{}_{}", base, suffix);
    return name;
  }

  // Before operator set 13 these flattened all axes from theirs on, which an attribute records.
  void state_older_meaning(GraphNode& node) const {
    constexpr int64_t kOneAxis = 13;
    const bool older =
        node.type == "Softmax" || node.type == "LogSoftmax" || node.type == "Hardmax";
    if (opset_ >= kOneAxis || !older) return;
    node.attributes.emplace("axis", int64_t{1});
    node.attributes["flattened"] = int64_t{1};
  }

  Result<void> convert_node(const onnx::NodeProto& source) {
    const bool standard = source.domain().empty() || source.domain() == "ai.onnx";
    GraphNode node;
    node.name = unique_name(source);
    node.type = standard ? source.op_type() : source.domain() + "::" + source.op_type();
    node.operator_class = standard ? classify_onnx(source.op_type()) : OperatorClass::unknown;
    node.attributes = TRY(convert_attributes(source));
    state_older_meaning(node);
    for (const auto& input : source.input()) node.inputs.push_back(TRY(use(source, input)));
    std::set<std::string> captures;
    collect_captures(source, captures);
    for (const std::string& name : captures)
      if (const auto found = ids_.find(name); found != ids_.end())
        node.inputs.push_back(found->second);
    for (const auto& output : source.output()) node.outputs.push_back(TRY(define_typed(output)));
    if (node.outputs.empty())
      return fail("node {} has no output; expected at least one", node.name);
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  Result<Graph> convert_outputs() {
    for (const auto& output : source_.output()) {
      const auto found = ids_.find(output.name());
      if (found == ids_.end())
        return fail("output {} is never written; expected a node to write it", output.name());
      graph_.outputs.push_back(found->second);
    }
    if (graph_.outputs.empty()) return fail("found no output; expected at least one");
    return std::move(graph_);
  }

  onnx::GraphProto& source_;
  int64_t opset_ = 0;
  Graph graph_;
  std::unordered_map<std::string, const onnx::TypeProto*> types_;
  std::unordered_map<std::string, TensorId> ids_;
  std::unordered_map<std::string, std::string> written_later_;
  std::set<std::string> node_names_;
};

}  // namespace

Result<Graph> convert_onnx(onnx::ModelProto& model) {
  return Converter(*model.mutable_graph(), TRY(default_opset(model))).convert();
}

}  // namespace dovetail
