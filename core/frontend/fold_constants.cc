// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/frontend/import_steps.h"

#if DOVETAIL_HAVE_ONNX
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <unordered_map>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/onnx_attributes.h"
#include "core/frontend/onnx_tensor.h"

namespace dovetail {
namespace {

class Folder {
 public:
  Folder(onnx::GraphProto& graph, int64_t& filled) : graph_(graph), filled_(filled) {
    for (const auto& tensor : graph.initializer()) initializers_[tensor.name()] = &tensor;
    for (const auto& info : graph.value_info()) types_[info.name()] = &info.type();
    for (const auto& info : graph.output()) types_[info.name()] = &info.type();
    for (const auto& info : graph.input()) types_[info.name()] = &info.type();
  }

  Result<int64_t> fold() {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
    int64_t folded = 0;
    for (auto& node : *graph_.mutable_node())
      if (TRY(fold_node(node)))
        ++folded;
      else
        kept.Add()->Swap(&node);
    graph_.mutable_node()->Swap(&kept);
    for (const std::string& name : made_) *graph_.add_initializer() = to_onnx(constants_.at(name));
    return folded;
  }

 private:
  Result<bool> fold_node(const onnx::NodeProto& node) {
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    if (!standard || node.output_size() == 0 || node.output(0).empty()) return false;
    if (auto constant = TRY(constant_of(node))) return keep(node.output(0), std::move(*constant));
    if (node.op_type() == "Shape" || node.op_type() == "Size") return measure(node);
    if (!has_constant_rule(node.op_type())) return false;
    std::vector<const GraphTensor*> inputs;
    for (const std::string& name : node.input()) {
      const GraphTensor* input = nullptr;
      if (!name.empty()) input = TRY(constant(name));
      if (!name.empty() && input == nullptr) return false;
      inputs.push_back(input);
    }
    return compute(node, std::move(inputs));
  }

  Result<bool> compute(const onnx::NodeProto& node, std::vector<const GraphTensor*> inputs) {
    GraphNode called;
    called.name = node.name().empty() ? node.op_type() : node.name();
    called.type = node.op_type();
    called.attributes = TRY(convert_attributes(node));
    ConstantOutputs outputs =
        TRY(compute_constants({.node = called,
                               .inputs = std::move(inputs),
                               .num_outputs = static_cast<size_t>(node.output_size()),
                               .most_elements = kMostFoldedElements - filled_}));
    if (!outputs || std::ssize(*outputs) != node.output_size()) return false;
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      GraphTensor& output = (*outputs)[static_cast<size_t>(i)];
      filled_ += num_elements(*output.shape);
      // Inference knows the type of ConstantOfShape's value, of which only the number is left here.
      const auto type = types_.find(node.output(i));
      if (type != types_.end())
        output.type = element_type_of(type->second->tensor_type().elem_type());
      keep(node.output(i), std::move(output));
    }
    return true;
  }

  // Shape and Size need no numbers, only a known shape.
  Result<bool> measure(const onnx::NodeProto& node) {
    if (node.input_size() != 1) return false;
    const std::optional<std::vector<int64_t>> shape = shape_of(node.input(0));
    if (!shape) return false;
    const bool size = node.op_type() == "Size";
    const std::vector<int64_t> numbers =
        size ? std::vector{num_elements(*shape)} : TRY(part_of_shape(node, *shape));
    const std::vector<int64_t> extents =
        size ? std::vector<int64_t>() : std::vector{std::ssize(numbers)};
    return keep(node.output(0),
                new_constant(ElementType::i64, extents, {.floats = {}, .integers = numbers}));
  }

  // From operator set 15 on Shape may be asked for some axes only.
  static Result<std::vector<int64_t>> part_of_shape(const onnx::NodeProto& node,
                                                    const std::vector<int64_t>& shape) {
    GraphNode called;
    called.name = node.name();
    called.attributes = TRY(convert_attributes(node));
    const int64_t rank = std::ssize(shape);
    const auto within = [rank](int64_t axis) {
      return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    const int64_t start = within(TRY(integer_attribute(called, "start", 0)));
    const int64_t end = within(TRY(integer_attribute(called, "end", rank)));
    return std::vector<int64_t>(shape.begin() + start, shape.begin() + std::max(start, end));
  }

  bool keep(const std::string& name, GraphTensor tensor) {
    tensor.name = name;
    if (!tensor.data) return false;
    constants_[name] = std::move(tensor);
    made_.push_back(name);
    return true;
  }

  // Null: it is not constant.
  Result<const GraphTensor*> constant(const std::string& name) {
    if (const auto known = constants_.find(name); known != constants_.end()) return &known->second;
    const auto found = initializers_.find(name);
    if (found == initializers_.end()) return nullptr;
    return &(constants_[name] = TRY(convert_tensor(*found->second)));
  }

  std::optional<std::vector<int64_t>> shape_of(const std::string& name) const {
    if (const auto known = constants_.find(name); known != constants_.end())
      return known->second.shape;
    if (const auto found = initializers_.find(name); found != initializers_.end())
      return std::vector<int64_t>(found->second->dims().begin(), found->second->dims().end());
    const auto type = types_.find(name);
    if (type == types_.end() || !type->second->has_tensor_type() ||
        !type->second->tensor_type().has_shape())
      return std::nullopt;
    std::vector<int64_t> shape;
    for (const auto& dim : type->second->tensor_type().shape().dim()) {
      if (!dim.has_dim_value()) return std::nullopt;
      shape.push_back(dim.dim_value());
    }
    return shape;
  }

  static constexpr int64_t kMostFoldedElements = int64_t{1} << 29;

  onnx::GraphProto& graph_;
  int64_t& filled_;
  std::unordered_map<std::string, const onnx::TensorProto*> initializers_;
  std::unordered_map<std::string, const onnx::TypeProto*> types_;
  std::unordered_map<std::string, GraphTensor> constants_;
  std::vector<std::string> made_;  // in the order of the nodes
};

}  // namespace

Result<int64_t> fold_constants(onnx::ModelProto& model, int64_t& filled) {
  const int64_t folded = TRY(Folder(*model.mutable_graph(), filled).fold());
  // From this version on an initializer need not be an input, too.
  constexpr int64_t kFreeInitializers = 4;
  if (folded > 0) model.set_ir_version(std::max(model.ir_version(), kFreeInitializers));
  return folded;
}

}  // namespace dovetail
#endif
