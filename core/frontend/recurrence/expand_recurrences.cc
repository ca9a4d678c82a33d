// SPDX-License-Identifier: Apache-2.0
//
// One product of the inputs with their weights for all steps, then for each step a product of the
// state and a region of the gates (step_formulas.h). Steps differ only in a constant, their number,
// so that each of the two is one task for any number of steps.
#include <algorithm>
#include <map>

#include "core/base/fail.h"
#include "core/frontend/computations/node_region.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"
#include "core/frontend/recurrence/step_formulas.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

using Extents = std::vector<int64_t>;

// As many as a Loop may have (model/control_flow.cc).
constexpr int64_t kMostSteps = 2048;
constexpr size_t kMostJoined = 64;  // inputs of one Concat

class Expander {
 public:
  Expander(Graph& graph, const GraphNode& node, Recurrence recurrence, bool batch_first)
      : graph_(graph), node_(node), r_(std::move(recurrence)), batch_first_(batch_first) {}

  std::vector<GraphNode> expand(const std::vector<bool>& backward) {
    TensorId x = node_.inputs[0];
    if (batch_first_) x = transposed(x, {1, 0, 2}, "steps");
    rows_ = reshaped(x, {r_.steps * r_.batch, r_.inputs}, "rows");
    for (size_t d = 0; d < backward.size(); ++d) run(d, backward[d]);
    give_all();
    return std::move(nodes_);
  }

 private:
  std::string named(const std::string& suffix) const { return node_.name + "/" + suffix; }

  TensorId tensor(const std::string& suffix, Extents shape) {
    graph_.tensors.push_back(
        {.name = named(suffix), .type = ElementType::f32, .shape = std::move(shape), .data = {}});
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  TensorId constant(const std::string& suffix, const NDArray& data) {
    const TensorId id = tensor(suffix, data.shape());
    graph_.tensors.back().type = data.type();
    become_constant(graph_.tensors.back(), data);
    return id;
  }

  void emit(OperatorClass operator_class, const std::string& type, const std::string& suffix,
            std::map<std::string, Attribute> attributes, std::vector<TensorId> inputs,
            std::vector<TensorId> outputs) {
    nodes_.push_back({.name = named(suffix),
                      .operator_class = operator_class,
                      .type = type,
                      .op = {},
                      .attributes = std::move(attributes),
                      .inputs = std::move(inputs),
                      .outputs = std::move(outputs)});
  }

  TensorId reshaped(TensorId from, Extents shape, const std::string& suffix, TensorId to) {
    const TensorId wanted = constant(suffix + "/shape", shape);
    emit(OperatorClass::data_movement, "Reshape", suffix, {}, {from, wanted}, {to});
    return to;
  }
  TensorId reshaped(TensorId from, const Extents& shape, const std::string& suffix) {
    return reshaped(from, shape, suffix, tensor(suffix, shape));
  }

  TensorId transposed(TensorId from, const Extents& order, const std::string& suffix, TensorId to) {
    emit(OperatorClass::data_movement, "Transpose", suffix, {{"perm", order}}, {from}, {to});
    return to;
  }
  TensorId transposed(TensorId from, const Extents& order, const std::string& suffix) {
    Extents shape;
    for (const int64_t axis : order)
      shape.push_back((*tensor_of(graph_, from).shape)[static_cast<size_t>(axis)]);
    return transposed(from, order, suffix, tensor(suffix, std::move(shape)));
  }

  // The part for direction d of a tensor whose axis `axis` counts the directions.
  TensorId part(TensorId from, int64_t axis, size_t d, const std::string& suffix) {
    Extents shape = *tensor_of(graph_, from).shape;
    shape.erase(shape.begin() + axis);
    if (r_.directions == 1) return reshaped(from, shape, suffix);
    const NDArray number(ElementType::i64, {}, Extents{static_cast<int64_t>(d)});
    const TensorId place = constant(suffix + "/place", number);
    const TensorId to = tensor(suffix, std::move(shape));
    emit(OperatorClass::data_movement, "Gather", suffix, {{"axis", axis}}, {from, place}, {to});
    return to;
  }

  // Rows [first, first + count) of a matrix, transposed.
  TensorId columns(TensorId from, int64_t first, int64_t count, const std::string& suffix) {
    const int64_t width = (*tensor_of(graph_, from).shape)[1];
    if (count == (*tensor_of(graph_, from).shape)[0]) return transposed(from, {1, 0}, suffix);
    const TensorId start = constant(suffix + "/start", Extents{first});
    const TensorId end = constant(suffix + "/end", Extents{first + count});
    const TensorId rows = tensor(suffix + "/rows", {count, width});
    emit(OperatorClass::data_movement, "Slice", suffix + "/rows", {}, {from, start, end}, {rows});
    return transposed(rows, {1, 0}, suffix);
  }

  TensorId product(TensorId a, TensorId b, const std::string& suffix) {
    const TensorId to =
        tensor(suffix, {(*tensor_of(graph_, a).shape)[0], (*tensor_of(graph_, b).shape)[1]});
    emit(OperatorClass::complex, "MatMul", suffix, {}, {a, b}, {to});
    return to;
  }

  TensorId initial(size_t position, size_t d, const std::string& suffix) {
    const TensorId given = input_at(node_, position);
    if (given != kNoTensor) return part(given, batch_first_ ? 1 : 0, d, suffix);
    return constant(suffix, NDArray::zeros(ElementType::f32, {r_.batch, r_.hidden}));
  }

  // Adds a node with the region `text`; `ids` maps the letters of its tensors.
  void written(const std::string& text, const std::string& suffix,
               const std::map<std::string, TensorId>& ids, std::vector<TensorId> outputs) {
    const Region region = *parse_region(text);
    std::vector<TensorId> inputs;
    for (const Tensor& given : given_tensors(region)) inputs.push_back(ids.at(given.name));
    emit(OperatorClass::reduction, std::string(kWrittenNode), suffix,
         {{std::string(kWrittenRegion), text}}, std::move(inputs), std::move(outputs));
  }

  TensorId state(const std::string& suffix) { return tensor(suffix, {r_.batch, r_.hidden}); }

  void run(size_t d, bool backward) {
    const std::string side = r_.directions == 1 ? "" : d == 0 ? "forward/" : "backward/";
    const int64_t gates = r_.gates() * r_.hidden;
    const TensorId w = part(node_.inputs[1], 0, d, side + "weights");
    const TensorId all = product(rows_, columns(w, 0, gates, side + "weights/t"), side + "inputs");
    ids_ = {{"A", reshaped(all, {r_.steps, r_.batch, gates}, side + "inputs/steps")},
            {"B", input_at(node_, 3)},
            {"L", input_at(node_, 4)},
            {"Q", input_at(node_, 7)}};
    const TensorId r = part(node_.inputs[2], 0, d, side + "recurrent");
    const bool twice = r_.kind == "GRU" && !r_.resets_product;
    const int64_t first = twice ? 2 * r_.hidden : gates;
    recurrent_ = columns(r, 0, first, side + "recurrent/t");
    if (twice) hidden_ = columns(r, first, r_.hidden, side + "recurrent/hidden");
    TensorId h = initial(5, d, side + "state");
    TensorId c = r_.kind == "LSTM" ? initial(6, d, side + "cell") : kNoTensor;
    std::vector<TensorId> states(static_cast<size_t>(r_.steps));
    for (int64_t s = 0; s < r_.steps; ++s) {
      const int64_t t = backward ? r_.steps - 1 - s : s;
      states[static_cast<size_t>(t)] = step(d, t, side + std::to_string(t), h, c);
    }
    states_.push_back(std::move(states));
    last_.push_back(h);
    cells_.push_back(c);
  }

  // Adds one step and returns its output: the new state, but 0 for an example that ended before.
  TensorId step(size_t d, int64_t t, const std::string& suffix, TensorId& h, TensorId& c) {
    std::map<std::string, TensorId> ids = ids_;
    ids["S"] = number(t);
    ids["P"] = product(h, recurrent_, suffix + "/product");
    ids["D"] = r_.kind == "LSTM" ? c : h;
    ids["E"] = h;
    std::string text = r_.kind == "LSTM"  ? lstm_step(r_, d)
                       : r_.kind == "GRU" ? gru_step(r_, d)
                                          : rnn_step(r_, d);
    if (r_.kind == "GRU" && !r_.resets_product) {
      const TensorId u = state(suffix + "/update"), g = state(suffix + "/reset");
      written(gru_gates(r_, d), suffix + "/gates", ids, {u, g});
      ids["U"] = u;
      ids["P"] = product(g, hidden_, suffix + "/hidden");
      text = gru_state(r_, d);
    }
    std::vector<TensorId> outputs;
    if (r_.kind == "LSTM") outputs = {c = state(suffix + "/cell")};
    outputs.push_back(h = state(suffix + "/state"));
    if (r_.has_lengths) outputs.push_back(state(suffix + "/given"));
    written(text, suffix, ids, outputs);
    return outputs.back();
  }

  TensorId number(int64_t t) {
    const auto known = numbers_.find(t);
    if (known != numbers_.end()) return known->second;
    const TensorId id = constant("step/" + std::to_string(t), Extents{t});
    return numbers_.emplace(t, id).first->second;
  }

  // Concatenates the parts along an axis, kMostJoined at a time, because a region's inputs are
  // limited.
  TensorId joined(std::vector<TensorId> parts, int64_t axis, const std::string& suffix) {
    for (int level = 0; parts.size() > 1; ++level) {
      std::vector<TensorId> next;
      for (size_t begin = 0; begin < parts.size(); begin += kMostJoined) {
        const size_t end = std::min(parts.size(), begin + kMostJoined);
        const std::vector<TensorId> some(parts.begin() + static_cast<std::ptrdiff_t>(begin),
                                         parts.begin() + static_cast<std::ptrdiff_t>(end));
        if (some.size() == 1) {
          next.push_back(some[0]);
          continue;
        }
        Extents shape = *tensor_of(graph_, some[0]).shape;
        shape[static_cast<size_t>(axis)] = 0;
        for (const TensorId id : some)
          shape[static_cast<size_t>(axis)] +=
              (*tensor_of(graph_, id).shape)[static_cast<size_t>(axis)];
        const std::string name = fmt::format("{}/{}.{}", suffix, level, next.size());
        next.push_back(tensor(name, std::move(shape)));
        emit(OperatorClass::data_movement, "Concat", name, {{"axis", axis}}, some, {next.back()});
      }
      parts = std::move(next);
    }
    return parts[0];
  }

  // [directions, batch, hidden], or with the batch first.
  void give_last(const std::vector<TensorId>& ids, size_t output, const std::string& suffix) {
    const TensorId to = output < node_.outputs.size() ? node_.outputs[output] : kNoTensor;
    if (to == kNoTensor) return;
    const bool swaps = batch_first_ && r_.directions > 1;
    const TensorId rows = joined(ids, batch_first_ && !swaps ? 1 : 0, suffix + "/all");
    const Extents shape = batch_first_ && !swaps ? Extents{r_.batch, r_.directions, r_.hidden}
                                                 : Extents{r_.directions, r_.batch, r_.hidden};
    if (!swaps) {
      reshaped(rows, shape, suffix, to);
      return;
    }
    transposed(reshaped(rows, shape, suffix + "/directions"), {1, 0, 2}, suffix, to);
  }

  // [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
  void give_steps() {
    const TensorId to = node_.outputs[0];
    if (to == kNoTensor) return;
    std::vector<TensorId> parts;
    for (int64_t t = 0; t < r_.steps; ++t)
      for (const std::vector<TensorId>& states : states_)
        parts.push_back(states[static_cast<size_t>(t)]);
    const TensorId rows = joined(std::move(parts), 0, "outputs/all");
    const Extents shape = {r_.steps, r_.directions, r_.batch, r_.hidden};
    if (batch_first_)
      transposed(reshaped(rows, shape, "outputs/steps"), {2, 0, 1, 3}, "outputs", to);
    else
      reshaped(rows, shape, "outputs", to);
  }

  void give_all() {
    give_steps();
    give_last(last_, 1, "last");
    if (r_.kind == "LSTM") give_last(cells_, 2, "last/cell");
  }

  Graph& graph_;
  const GraphNode& node_;
  Recurrence r_;
  bool batch_first_ = false;
  TensorId rows_ = kNoTensor, recurrent_ = kNoTensor, hidden_ = kNoTensor;
  std::map<std::string, TensorId> ids_;
  std::map<int64_t, TensorId> numbers_;
  std::vector<std::vector<TensorId>> states_;
  std::vector<TensorId> last_, cells_;
  std::vector<GraphNode> nodes_;
};

// Why it is not expanded; empty: it may be.
std::string reason_against(const Graph& graph, const GraphNode& node) {
  if (node.inputs.size() < 3) return "an operand is left out";
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const TensorId id = node.inputs[i];
    if (id == kNoTensor && i < 3) return "an operand is left out";
    if (id == kNoTensor) continue;
    const GraphTensor& tensor = tensor_of(graph, id);
    if (!tensor.shape) return fmt::format("the shape of {} is only known at run time", tensor.name);
    if (num_elements(*tensor.shape) == 0) return fmt::format("{} has no elements", tensor.name);
    if (i != 4 && tensor.type != ElementType::f32)
      return fmt::format("a recurrence of {}", name_of(tensor.type));
    if (i < 3 && tensor.shape->size() != 3)
      return fmt::format("{} has rank {}, expected 3", tensor.name, tensor.shape->size());
  }
  return "";
}

// False also if all sequence lengths are constant and equal to the number of steps.
bool has_lengths(const Graph& graph, const GraphNode& node, int64_t steps) {
  const TensorId lengths = input_at(node, 4);
  if (lengths == kNoTensor) return false;
  const GraphTensor& tensor = tensor_of(graph, lengths);
  return !has_integers(tensor) ||
         std::ranges::any_of(tensor.data->as<int64_t>(),
                             [&](int64_t length) { return length != steps; });
}

Result<void> expect_shape(const Graph& graph, const GraphNode& node, size_t position,
                          const Extents& expected) {
  const TensorId id = input_at(node, position);
  if (id == kNoTensor || *tensor_of(graph, id).shape == expected) return {};
  return fail("node {} ({}): {} has shape [{}]; expected [{}]", node.name, node.type,
              tensor_of(graph, id).name, fmt::join(*tensor_of(graph, id).shape, ","),
              fmt::join(expected, ","));
}

Result<void> check_shapes(const Graph& graph, const GraphNode& node, const Recurrence& r,
                          bool batch_first) {
  const int64_t gates = r.gates() * r.hidden;
  const Extents state = batch_first ? Extents{r.batch, r.directions, r.hidden}
                                    : Extents{r.directions, r.batch, r.hidden};
  TRY(expect_shape(graph, node, 1, {r.directions, gates, r.inputs}));
  TRY(expect_shape(graph, node, 2, {r.directions, gates, r.hidden}));
  TRY(expect_shape(graph, node, 3, {r.directions, 2 * gates}));
  TRY(expect_shape(graph, node, 4, {r.batch}));
  TRY(expect_shape(graph, node, 5, state));
  TRY(expect_shape(graph, node, 6, state));
  return expect_shape(graph, node, 7, {r.directions, 3 * r.hidden});
}

// The texts of a step, to be checked by parsing: extents and activations may make them invalid.
std::vector<std::string> step_texts(const Recurrence& r) {
  if (r.kind == "LSTM") return {lstm_step(r, 0)};
  if (r.kind == "RNN") return {rnn_step(r, 0)};
  if (r.resets_product) return {gru_step(r, 0)};
  return {gru_gates(r, 0), gru_state(r, 0)};
}

// The nodes that replace the recurrence; none, and the reason in `reason`.
Result<std::vector<GraphNode>> steps_of(Graph& graph, const GraphNode& node, std::string& reason) {
  reason = reason_against(graph, node);
  if (!reason.empty()) return std::vector<GraphNode>();
  const bool batch_first = TRY(integer_attribute(node, "layout", 0)) != 0;
  const std::string direction = TRY(text_attribute(node, "direction", "forward"));
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return fail("node {} ({}) has direction {}; expected forward, reverse or bidirectional",
                node.name, node.type, direction);
  const Extents& x = *tensor_of(graph, node.inputs[0]).shape;
  Recurrence r;
  r.kind = node.type;
  r.steps = x[batch_first ? 1 : 0];
  r.batch = x[batch_first ? 0 : 1];
  r.inputs = x[2];
  r.hidden = tensor_of(graph, node.inputs[2]).shape->back();
  r.directions = direction == "bidirectional" ? 2 : 1;
  r.clip = TRY(number_attribute(node, "clip", 0));
  r.input_forget = TRY(integer_attribute(node, "input_forget", 0)) != 0;
  r.resets_product = TRY(integer_attribute(node, "linear_before_reset", 0)) != 0;
  r.has_bias = input_at(node, 3) != kNoTensor;
  r.has_peepholes = node.type == "LSTM" && input_at(node, 7) != kNoTensor;
  r.activations = TRY(activation_formulas(node, r));
  TRY(check_shapes(graph, node, r, batch_first));
  r.has_lengths = has_lengths(graph, node, r.steps);
  if (r.has_lengths && tensor_of(graph, node.inputs[4]).type != ElementType::i32)
    return fail("node {} ({}) has lengths of {}; expected i32", node.name, node.type,
                name_of(tensor_of(graph, node.inputs[4]).type));
  if (r.steps > kMostSteps)
    reason = fmt::format("{} steps, expected at most {}", r.steps, kMostSteps);
  if (!reason.empty()) return std::vector<GraphNode>();
  for (const std::string& text : step_texts(r))
    if (const Result<Region> region = parse_region(text); !region) reason = region.error().message;
  if (!reason.empty()) return std::vector<GraphNode>();
  std::vector<bool> backward = {direction == "reverse"};
  if (r.directions == 2) backward.push_back(true);
  return Expander(graph, node, std::move(r), batch_first).expand(backward);
}

}  // namespace

Result<void> expand_recurrences(Graph& graph) {
  std::vector<GraphNode> nodes;
  for (GraphNode& node : graph.nodes) {
    if (node.type != "LSTM" && node.type != "GRU" && node.type != "RNN") {
      nodes.push_back(std::move(node));
      continue;
    }
    std::string reason;
    std::vector<GraphNode> steps = TRY(steps_of(graph, node, reason));
    if (!reason.empty()) {
      node.attributes["not_tuned"] = reason;
      steps = {std::move(node)};
    }
    std::ranges::move(steps, std::back_inserter(nodes));
  }
  graph.nodes = std::move(nodes);
  return {};
}

}  // namespace dovetail
