// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/frontend/import_steps.h"

#include <algorithm>
#include <numeric>

#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

// A small file can ask ConstantOfShape for any size; all of a model together get 2 GiB.
constexpr int64_t kMaxFilledElements = int64_t{1} << 29;

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph), same_as_(graph.tensors.size()) {
    std::iota(same_as_.begin(), same_as_.end(), TensorId{0});
  }

  Result<void> fold() {
    std::vector<GraphNode> kept;
    for (GraphNode& node : graph_.nodes) {
      for (TensorId& id : node.inputs)
        if (id != kNoTensor) id = same_as_[static_cast<size_t>(id)];
      if (!TRY(fold_node(node))) kept.push_back(std::move(node));
    }
    graph_.nodes = std::move(kept);
    return {};
  }

 private:
  GraphTensor& tensor(TensorId id) { return graph_.tensors[static_cast<size_t>(id)]; }

  // True if the node is not needed any more.
  Result<bool> fold_node(const GraphNode& node) {
    if (input_at(node, 0) == kNoTensor || node.outputs[0] == kNoTensor) return false;
    const bool constant =
        has_floats(tensor(node.inputs[0])) || has_integers(tensor(node.inputs[0]));
    if (node.type == "ConstantOfShape" && has_integers(tensor(node.inputs[0]))) return fill(node);
    if (node.type == "Identity" || node.type == "Dropout") return pass_through(node);
    if (!constant) return false;
    if (node.type == "Transpose") return transpose(node);
    const bool reshapes = node.type == "Reshape" || node.type == "Flatten" ||
                          node.type == "Squeeze" || node.type == "Unsqueeze";
    return reshapes && reshape(node);
  }

  Result<bool> fill(const GraphNode& node) {
    const std::vector<int64_t> shape = tensor(node.inputs[0]).data->integers;
    int64_t count = 1;
    for (const int64_t extent : shape) {
      if (extent < 0 || extent > (kMaxFilledElements - filled_) / std::max<int64_t>(count, 1))
        return fail(
            "node {} (ConstantOfShape) makes [{}]; expected at most 2^29 elements from "
            "all such nodes",
            node.name, fmt::join(shape, ","));
      count *= extent;
    }
    filled_ += count;
    const auto value = node.attributes.find("value");
    GraphTensor& output = tensor(node.outputs[0]);
    ConstantData data;
    if (value != node.attributes.end() && std::holds_alternative<int64_t>(value->second)) {
      data.integers.assign(static_cast<size_t>(count), std::get<int64_t>(value->second));
    } else {
      const double number = TRY(number_attribute(node, "value", 0));
      data.floats.assign(static_cast<size_t>(count), static_cast<float>(number));
      if (value == node.attributes.end()) output.type = ElementType::f32;
    }
    set_constant(output, shape, std::make_shared<const ConstantData>(std::move(data)));
    return true;
  }

  void set_constant(GraphTensor& output, std::vector<int64_t> shape,
                    std::shared_ptr<const ConstantData> data) {
    output.shape = std::move(shape);
    output.constant = true;
    output.data = std::move(data);
  }

  Result<bool> pass_through(const GraphNode& node) {
    const bool is_output =
        std::ranges::find(graph_.outputs, node.outputs[0]) != graph_.outputs.end();
    const bool has_mask = node.outputs.size() > 1 && node.outputs[1] != kNoTensor;
    const bool may_train = input_at(node, 2) != kNoTensor;  // Dropout's training_mode
    if (is_output || has_mask || may_train) return false;
    same_as_[static_cast<size_t>(node.outputs[0])] = node.inputs[0];
    return true;
  }

  bool reshape(const GraphNode& node) {
    const GraphTensor& input = tensor(node.inputs[0]);
    GraphTensor& output = tensor(node.outputs[0]);
    if (!output.shape || num_elements(*output.shape) != num_elements(*input.shape)) return false;
    output.type = input.type;
    set_constant(output, *output.shape, input.data);
    return true;
  }

  Result<bool> transpose(const GraphNode& node) {
    const GraphTensor& input = tensor(node.inputs[0]);
    const size_t rank = input.shape->size();
    std::vector<int64_t> axes(rank);
    std::iota(axes.begin(), axes.end(), int64_t{0});
    const std::vector<int64_t> order =
        TRY(integers_attribute(node, "perm", {axes.rbegin(), axes.rend()}));
    if (!std::ranges::is_permutation(order, axes))
      return fail("attribute perm of node {} is [{}]; expected each axis 0 to {} once", node.name,
                  fmt::join(order, ","), rank - 1);
    if (!has_floats(input)) return false;
    std::vector<int64_t> strides(rank, 1);
    for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * (*input.shape)[i];
    std::vector<int64_t> shape;
    std::vector<int64_t> steps;
    for (const int64_t axis : order) {
      shape.push_back((*input.shape)[static_cast<size_t>(axis)]);
      steps.push_back(strides[static_cast<size_t>(axis)]);
    }
    ConstantData data;
    data.floats = permuted(input.data->floats, shape, steps);
    GraphTensor& output = tensor(node.outputs[0]);
    output.type = input.type;
    set_constant(output, shape, std::make_shared<const ConstantData>(std::move(data)));
    return true;
  }

  static std::vector<float> permuted(const std::vector<float>& from,
                                     const std::vector<int64_t>& shape,
                                     const std::vector<int64_t>& steps) {
    std::vector<float> to(from.size());
    std::vector<int64_t> index(shape.size(), 0);
    int64_t source = 0;
    for (float& element : to) {
      element = from[static_cast<size_t>(source)];
      for (size_t axis = shape.size(); axis-- > 0;) {
        source += steps[axis];
        if (++index[axis] < shape[axis]) break;
        source -= steps[axis] * shape[axis];
        index[axis] = 0;
      }
    }
    return to;
  }

  Graph& graph_;
  std::vector<TensorId> same_as_;  // what readers of a tensor read instead
  int64_t filled_ = 0;             // elements made by ConstantOfShape
};

}  // namespace

Result<void> fold_constants(Graph& graph) { return Folder(graph).fold(); }

}  // namespace dovetail
