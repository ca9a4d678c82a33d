// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/frontend/import_steps.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/model/bodies.h"
#include "core/frontend/model/control_flow.h"
#include "core/frontend/onnx/attributes.h"
#include "core/frontend/onnx/tensor.h"

namespace dovetail {
namespace {

class Folder {
 public:
  Folder(onnx::GraphProto& graph, int64_t opset, FoldBudget& budget)
      : graph_(graph),
        budget_(budget),
        control_flow_({.whole = [this](const auto& name) { return whole(name); },
                       .shape = [this](const auto& name) { return shape_of(name); },
                       .wholes = [this](const auto& name) { return wholes(name); }},
                      opset, budget.inlined) {
    for (const auto& tensor : graph.initializer()) initializers_[tensor.name()] = &tensor;
    for (const auto& info : graph.value_info()) types_[info.name()] = &info.type();
    for (const auto& info : graph.output()) types_[info.name()] = &info.type();
    for (const auto& info : graph.input()) types_[info.name()] = &info.type();
  }

  Result<int64_t> fold() {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
    std::deque<onnx::NodeProto> waiting;
    for (auto& node : *graph_.mutable_node()) waiting.emplace_back().Swap(&node);
    int64_t folded = 0;
    while (!waiting.empty()) {
      onnx::NodeProto node;
      node.Swap(&waiting.front());
      waiting.pop_front();
      if (auto expansion = TRY(expanded(node))) {
        ++folded;
        take(*expansion);
        for (auto next = expansion->nodes.rbegin(); next != expansion->nodes.rend(); ++next)
          waiting.emplace_front().Swap(&*next);
      } else if (TRY(fold_node(node))) {
        ++folded;
      } else {
        kept.Add()->Swap(&node);
      }
    }
    graph_.mutable_node()->Swap(&kept);
    store();
    return folded;
  }

 private:
  Result<std::optional<Expansion>> expanded(onnx::NodeProto& node) {
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    return standard ? control_flow_.expand(node) : std::optional<Expansion>();
  }

  // Adds a body's initializers to the graph, where their data are then read.
  void take(Expansion& expansion) {
    for (onnx::TensorProto& tensor : expansion.initializers) {
      onnx::TensorProto& kept = *graph_.add_initializer();
      kept.Swap(&tensor);
      initializers_[kept.name()] = &kept;
    }
  }

  // Stores the folded constants that a remaining node, its bodies or an output of the graph reads.
  void store() {
    std::set<std::string> read;
    for (const auto& node : graph_.node()) {
      read.insert(node.input().begin(), node.input().end());
      collect_captures(node, read);
    }
    for (const auto& output : graph_.output()) read.insert(output.name());
    for (const std::string& name : made_)
      if (read.contains(name)) *graph_.add_initializer() = to_onnx(constants_.at(name));
  }

  Result<std::optional<std::vector<int64_t>>> wholes(const std::string& name) {
    using Numbers = std::optional<std::vector<int64_t>>;
    const GraphTensor* const tensor = name.empty() ? nullptr : TRY(constant(name));
    return tensor != nullptr && has_integers(*tensor) ? Numbers(integers_of(*tensor->data))
                                                      : Numbers();
  }

  Result<std::optional<int64_t>> whole(const std::string& name) {
    const auto numbers = TRY(wholes(name));
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
  }

  Result<bool> fold_node(const onnx::NodeProto& node) {
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    if (!standard || node.output_size() == 0 || node.output(0).empty()) return false;
    if (auto constant = TRY(constant_of(node))) return keep(node.output(0), std::move(*constant));
    if (keep_empty(node)) return true;
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

  bool is_empty(const std::string& name) const {
    const auto shape = shape_of(name);
    return shape && std::ranges::find(*shape, 0) != shape->end();
  }

  // Folds a tensor without elements, computed by any operator from an empty input, or a part of
  // extent 0. (A window beyond its input is an error, which lowering reports.)
  bool keep_empty(const onnx::NodeProto& node) {
    constexpr std::string_view kParts =
        " CenterCropPad ConstantOfShape Expand Pad Range Slice Split Tile TopK ";
    const bool may_be =
        kParts.find(" " + node.op_type() + " ") != std::string_view::npos ||
        std::ranges::any_of(node.input(), [&](const auto& name) { return is_empty(name); });
    if (!may_be) return false;
    std::vector<GraphTensor> outputs;
    for (const std::string& name : node.output()) {
      if (name.empty()) continue;
      const auto type = types_.find(name);
      if (type == types_.end() || !is_empty(name)) return false;
      const ElementType element = element_type_of(type->second->tensor_type().elem_type());
      if (!is_stored(element)) return false;
      const bool is_real = computed_type(element) == ComputedType::real;
      const NDArray nothing = NDArray::zeros(is_real ? ElementType::f32 : ElementType::i64, {0});
      outputs.push_back(new_constant(element, *shape_of(name), nothing));
      outputs.back().name = name;
    }
    for (GraphTensor& output : outputs) {
      const std::string name = output.name;
      keep(name, std::move(output));
    }
    return true;
  }

  // Checks the budget by the inputs before outputs are computed: only nodes that repeat elements
  // make more than they read, and these check that themselves.
  Result<void> check_budget(const GraphNode& node,
                            const std::vector<const GraphTensor*>& inputs) const {
    for (const std::string_view view : {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"})
      if (node.type == view) return {};  // they share the elements
    int64_t elements = 0;
    for (const GraphTensor* input : inputs)
      if (input != nullptr) elements += num_elements(*input->shape);
    if (elements <= budget_.elements) return {};
    return fail(
        "node {} ({}) reads {} elements of constants; expected at most {} from all nodes "
        "that make constants",
        node.name, node.type, elements, std::max<int64_t>(0, budget_.elements));
  }

  Result<bool> compute(const onnx::NodeProto& node, std::vector<const GraphTensor*> inputs) {
    GraphNode called;
    called.name = node.name().empty() ? node.op_type() : node.name();
    called.type = node.op_type();
    called.attributes = TRY(convert_attributes(node));
    TRY(check_budget(called, inputs));
    const GraphTensor* const first = inputs.empty() ? nullptr : inputs[0];
    ConstantOutputs outputs =
        TRY(compute_constants({.node = called,
                               .inputs = std::move(inputs),
                               .num_outputs = static_cast<size_t>(node.output_size()),
                               .most_elements = budget_.elements}));
    if (!outputs || std::ssize(*outputs) != node.output_size()) return false;
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      GraphTensor& output = (*outputs)[static_cast<size_t>(i)];
      if (first == nullptr || output.data->memory() != first->data->memory())
        budget_.elements -= num_elements(*output.shape);
      // ConstantOfShape's attribute has lost the type of its value, which inference knows.
      const auto type = types_.find(node.output(i));
      const bool known = type != types_.end() && !is_int4(type->second->tensor_type().elem_type());
      if (known) output.type = element_type_of(type->second->tensor_type().elem_type());
      keep(node.output(i), std::move(output));
    }
    return true;
  }

  // Shape and Size need no data, only a known shape.
  Result<bool> measure(const onnx::NodeProto& node) {
    if (node.input_size() != 1) return false;
    const std::optional<std::vector<int64_t>> shape = shape_of(node.input(0));
    if (!shape) return false;
    const bool size = node.op_type() == "Size";
    const std::vector<int64_t> numbers =
        size ? std::vector{num_elements(*shape)} : TRY(part_of_shape(node, *shape));
    const std::vector<int64_t> extents =
        size ? std::vector<int64_t>() : std::vector{std::ssize(numbers)};
    return keep(node.output(0), new_constant(ElementType::i64, extents, numbers));
  }

  // From operator set 15 on Shape may select some axes only.
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

  // Null if the tensor is not constant.
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

  onnx::GraphProto& graph_;
  FoldBudget& budget_;
  ControlFlow control_flow_;
  std::unordered_map<std::string, const onnx::TensorProto*> initializers_;
  std::unordered_map<std::string, const onnx::TypeProto*> types_;
  std::unordered_map<std::string, GraphTensor> constants_;
  std::vector<std::string> made_;  // in the order of the nodes
};

}  // namespace

FoldBudget fold_budget(const onnx::ModelProto& model) {
  return {.elements = (int64_t{1} << 27) + static_cast<int64_t>(model.ByteSizeLong())};
}

Result<int64_t> fold_constants(onnx::ModelProto& model, FoldBudget& budget) {
  const int64_t opset = TRY(default_opset(model));
  const int64_t folded = TRY(Folder(*model.mutable_graph(), opset, budget).fold());
  // From this version on an initializer need not be an input, too.
  constexpr int64_t kFreeInitializers = 4;
  if (folded > 0) model.set_ir_version(std::max(model.ir_version(), kFreeInitializers));
  return folded;
}

}  // namespace dovetail
