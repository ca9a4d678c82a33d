// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

constexpr double kClose = 1e-4;  // exporters round constants to half precision at worst

class Chains {
 public:
  explicit Chains(Graph& graph) : graph_(graph), uses_(count_uses(graph)) {
    for (size_t place = 0; place < graph.nodes.size(); ++place)
      for (const TensorId id : graph.nodes[place].outputs)
        if (id != kNoTensor) writer_[id] = place;
  }

  // A recognised operator takes the place of the chain's last node, after all of its inputs.
  Result<void> recognise() {
    for (size_t place = 0; place < graph_.nodes.size(); ++place) {
      std::optional<GraphNode> found = gelu_at(place);
      if (!found) found = TRY(normalization_at(place));
      if (!found) found = scaled_normalization_at(place);
      if (!found) continue;
      found->outputs = graph_.nodes[place].outputs;
      graph_.nodes[place] = std::move(*found);
    }
    drop_unread();
    return {};
  }

 private:
  // The node that writes the tensor, if it is of that type; null otherwise.
  const GraphNode* writer_of(TensorId id, std::string_view type) const {
    const auto found = writer_.find(id);
    if (found == writer_.end()) return nullptr;
    const GraphNode& node = graph_.nodes[found->second];
    return node.type == type && node.inputs.size() <= 2 ? &node : nullptr;
  }

  // The same, if nothing else reads the tensor, so that the chain may absorb it.
  const GraphNode* sole_writer_of(TensorId id, std::string_view type) const {
    if (id == kNoTensor || uses_[static_cast<size_t>(id)] != 1) return nullptr;
    return writer_of(id, type);
  }

  bool is_number(TensorId id, double value) const {
    const auto found = single_number(graph_, id);
    return found && std::abs(*found - value) < kClose;
  }

  // The other operand of a commutative node if one is that number; nullopt if neither is.
  std::optional<TensorId> beside(const GraphNode& node, double value) const {
    if (node.inputs.size() != 2) return std::nullopt;
    if (is_number(node.inputs[1], value)) return node.inputs[0];
    if (is_number(node.inputs[0], value)) return node.inputs[1];
    return std::nullopt;
  }

  static GraphNode named_after(const GraphNode& last, const std::string& type,
                               OperatorClass operator_class, std::vector<TensorId> inputs) {
    GraphNode node;
    node.name = last.name;
    node.type = type;
    node.operator_class = operator_class;
    node.inputs = std::move(inputs);
    return node;
  }

  // The x of 1 + Erf(x / sqrt(2)).
  std::optional<TensorId> under_erf(TensorId id) const {
    const GraphNode* const sum = sole_writer_of(id, "Add");
    const auto inner = sum == nullptr ? std::nullopt : beside(*sum, 1);
    const GraphNode* const erf = inner ? sole_writer_of(*inner, "Erf") : nullptr;
    if (erf == nullptr) return std::nullopt;
    const GraphNode* const quotient = sole_writer_of(erf->inputs[0], "Div");
    if (quotient != nullptr && quotient->inputs.size() == 2 &&
        is_number(quotient->inputs[1], std::numbers::sqrt2))
      return quotient->inputs[0];
    const GraphNode* const product = sole_writer_of(erf->inputs[0], "Mul");
    return product == nullptr ? std::nullopt : beside(*product, 1 / std::numbers::sqrt2);
  }

  // The factors of a product, three if one of two is itself a product that nothing else reads.
  std::vector<TensorId> factors(const GraphNode& node) const {
    std::vector<TensorId> all = node.inputs;
    for (size_t i = 0; i < all.size() && all.size() < 3; ++i) {
      const GraphNode* const inner = sole_writer_of(all[i], "Mul");
      if (inner == nullptr || inner->inputs.size() != 2) continue;
      all[i] = inner->inputs[0];
      all.push_back(inner->inputs[1]);
      break;
    }
    return all;
  }

  // x, 0.5 and 1 + Erf(x / sqrt(2)), multiplied in any order.
  std::optional<GraphNode> gelu_at(size_t place) const {
    const GraphNode& last = graph_.nodes[place];
    if (last.type != "Mul" || last.inputs.size() != 2) return std::nullopt;
    std::vector<TensorId> rest = factors(last);
    const auto half = std::ranges::find_if(rest, [&](TensorId id) { return is_number(id, 0.5); });
    if (rest.size() != 3 || half == rest.end()) return std::nullopt;
    rest.erase(half);
    for (const size_t i : {size_t{0}, size_t{1}})
      if (under_erf(rest[i]) == rest[1 - i])
        return named_after(last, "Gelu", OperatorClass::elementwise, {rest[1 - i]});
    return std::nullopt;
  }

  // The axes of a ReduceMean with keepdims, from an attribute or an input; nullopt for another.
  Result<std::optional<std::vector<int64_t>>> mean_axes(const GraphNode& mean) const {
    using Axes = std::optional<std::vector<int64_t>>;
    if (TRY(integer_attribute(mean, "keepdims", 1)) != 1) return Axes();
    const TensorId id = input_at(mean, 1);
    return numbers_of(mean, "axes", id == kNoTensor ? nullptr : &tensor_of(graph_, id));
  }

  // The first of the axes, if they are the last ones of that rank.
  static std::optional<int64_t> first_of_last(std::vector<int64_t> axes, size_t rank) {
    const auto extent = static_cast<int64_t>(rank);
    for (int64_t& axis : axes) axis += axis < 0 ? extent : 0;
    std::ranges::sort(axes);
    for (size_t i = 0; i < axes.size(); ++i)
      if (axes[i] != extent - std::ssize(axes) + static_cast<int64_t>(i)) return std::nullopt;
    return axes.empty() ? std::nullopt : std::optional(axes.front());
  }

  // d * d, or d to the power of 2.
  bool is_square_of(TensorId id, TensorId d) const {
    if (const GraphNode* const power = sole_writer_of(id, "Pow"))
      return power->inputs.size() == 2 && power->inputs[0] == d && is_number(power->inputs[1], 2);
    const GraphNode* const product = sole_writer_of(id, "Mul");
    return product != nullptr && product->inputs == std::vector{d, d};
  }

  // (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon).
  Result<std::optional<GraphNode>> normalization_at(size_t place) const {
    const std::optional<GraphNode> none;
    const GraphNode& last = graph_.nodes[place];
    if (last.type != "Div" || last.inputs.size() != 2) return none;
    const TensorId difference = last.inputs[0];
    const GraphNode* const sub = writer_of(difference, "Sub");
    const GraphNode* const root = sole_writer_of(last.inputs[1], "Sqrt");
    const GraphNode* const sum = root == nullptr ? nullptr : sole_writer_of(root->inputs[0], "Add");
    if (sub == nullptr || sum == nullptr || sub->inputs.size() != 2) return none;
    const bool second = single_number(graph_, sum->inputs[1]).has_value();
    const auto epsilon = single_number(graph_, sum->inputs[second ? 1 : 0]);
    const GraphNode* const variance = sole_writer_of(sum->inputs[second ? 0 : 1], "ReduceMean");
    const GraphNode* const mean = sole_writer_of(sub->inputs[1], "ReduceMean");
    if (!epsilon || variance == nullptr || mean == nullptr) return none;
    if (mean->inputs[0] != sub->inputs[0] || !is_square_of(variance->inputs[0], difference))
      return none;
    const auto axes = TRY(mean_axes(*mean));
    const auto& shape = tensor_of(graph_, sub->inputs[0]).shape;
    if (!axes || !shape || axes != TRY(mean_axes(*variance))) return none;
    const auto axis = first_of_last(*axes, shape->size());
    if (!axis) return none;
    GraphNode node =
        named_after(last, "LayerNormalization", OperatorClass::reduction, {sub->inputs[0]});
    node.attributes = {{"axis", *axis}, {"epsilon", *epsilon}};
    return std::optional(std::move(node));
  }

  // LayerNormalization(x), times a scale, plus a shift: constants of the axes that are normalised.
  std::optional<GraphNode> scaled_normalization_at(size_t place) const {
    const GraphNode& last = graph_.nodes[place];
    const bool scales = last.type == "Mul";
    if ((!scales && last.type != "Add") || last.inputs.size() != 2) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      const GraphNode* const inner = sole_writer_of(last.inputs[at], "LayerNormalization");
      const size_t inputs = scales ? 1 : 2;
      if (inner == nullptr || inner->inputs.size() != inputs) continue;
      if (!fits_axes(*inner, last.inputs[1 - at])) continue;
      GraphNode node = *inner;
      node.name = last.name;
      node.inputs.push_back(last.inputs[1 - at]);
      return node;
    }
    return std::nullopt;
  }

  bool fits_axes(const GraphNode& normalization, TensorId id) const {
    const GraphTensor& tensor = tensor_of(graph_, id);
    const auto& shape = tensor_of(graph_, normalization.inputs[0]).shape;
    const int64_t axis = std::get<int64_t>(normalization.attributes.at("axis"));
    return tensor.constant && tensor.shape == std::vector(shape->begin() + axis, shape->end());
  }

  // Drops unread nodes, last to first, because dropping one may leave its inputs unread.
  void drop_unread() {
    std::vector<int64_t> uses = count_uses(graph_);
    for (size_t place = graph_.nodes.size(); place-- > 0;) {
      GraphNode& node = graph_.nodes[place];
      const bool swallowed =
          swallows(node.type) && std::ranges::all_of(node.outputs, [&](TensorId id) {
            return id != kNoTensor && uses[static_cast<size_t>(id)] == 0;
          });
      if (!swallowed) continue;
      for (const TensorId id : node.inputs)
        if (id != kNoTensor) --uses[static_cast<size_t>(id)];
      node.outputs.clear();
    }
    std::erase_if(graph_.nodes, [](const GraphNode& node) { return node.outputs.empty(); });
  }

  static bool swallows(std::string_view type) {
    constexpr std::string_view kTypes[] = {
        "Add", "Div", "Erf", "LayerNormalization", "Mul", "Pow", "ReduceMean", "Sqrt", "Sub"};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
  }

  Graph& graph_;
  std::vector<int64_t> uses_;
  std::unordered_map<TensorId, size_t> writer_;  // place of the node that writes a tensor
};

}  // namespace

Result<void> recognise_chains(Graph& graph) { return Chains(graph).recognise(); }

}  // namespace dovetail
