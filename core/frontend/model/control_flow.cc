// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/control_flow.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/model/bodies.h"
#include "core/frontend/model/node_writer.h"

namespace dovetail {
namespace {

using Names = ControlFlow::Names;
using Expanded = Result<std::optional<Expansion>>;

// Enough for the recurrences that exporters write as loops; each iteration becomes nodes of the
// graph, whose regions are planned and linked one by one.
constexpr int64_t kMostIterations = 2048;
constexpr int64_t kMostInlinedNodes = int64_t{1} << 16;

const Expanded kStays = std::optional<Expansion>();

// An output's name, because it is the only name that is always unique to a node.
std::string prefix_of(const onnx::NodeProto& node) {
  const auto found = std::ranges::find_if(node.output(), [](const auto& o) { return !o.empty(); });
  return found == node.output().end() ? std::string() : *found;
}

void append(InlinedBody body, Expansion& to) {
  std::ranges::move(body.nodes, std::back_inserter(to.nodes));
  std::ranges::move(body.initializers, std::back_inserter(to.initializers));
}

void set_whole_attribute(onnx::NodeProto& node, const std::string& name, int64_t number) {
  for (auto& attribute : *node.mutable_attribute())
    if (attribute.name() == name) return attribute.set_i(number);
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(number);
}

// Concatenates the elements of an output, one per iteration, along a new axis.
void stack(const Names& pieces, const std::string& output, int64_t axis, int64_t opset,
           Expansion& to) {
  onnx::NodeProto joined = make_node("Concat", {}, output, {{"axis", axis}});
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::string name = output + "/" + std::to_string(i);
    add_unsqueeze(to.nodes, to.initializers, opset, pieces[i], name, axis);
    joined.add_input(name);
  }
  to.nodes.push_back(std::move(joined));
}

// The number of iterations unrolled so far: an attribute of the rest of a partly unrolled Loop.
constexpr const char* kUnrolled = "dovetail_unrolled";

Result<void> check_length(const onnx::NodeProto& node, int64_t iterations) {
  if (iterations <= kMostIterations) return {};
  return fail("node {} ({}) has {} iterations; expected at most {}, to unroll them", label_of(node),
              node.op_type(), iterations, kMostIterations);
}

struct ScanForm {
  int scanned = 0, states = 0;
  int64_t length = 0;
  std::vector<int64_t> axes, backward, output_axes, output_backward;
};

// nullopt if the node is invalid, or its length is known only at run time.
std::optional<ScanForm> form_of(const onnx::NodeProto& node, const onnx::GraphProto& body,
                                const ControlFlow::Shapes& shapes) {
  ScanForm form;
  form.scanned = static_cast<int>(shapes.size());
  form.states = node.input_size() - form.scanned;
  const int outputs = node.output_size();
  if (form.scanned < 1 || body.input_size() != node.input_size() || body.output_size() < outputs ||
      outputs < form.states)
    return std::nullopt;
  const auto inputs = static_cast<size_t>(form.scanned);
  const auto made = static_cast<size_t>(outputs - form.states);
  form.axes = whole_attributes(node, "scan_input_axes", inputs);
  form.backward = whole_attributes(node, "scan_input_directions", inputs);
  form.output_axes = whole_attributes(node, "scan_output_axes", made);
  form.output_backward = whole_attributes(node, "scan_output_directions", made);
  if (form.axes.size() != inputs || form.backward.size() != inputs ||
      form.output_axes.size() < made || form.output_backward.size() < made)
    return std::nullopt;
  for (size_t i = 0; i < inputs; ++i) {
    if (!shapes[i]) return std::nullopt;
    const auto axis = dovetail::axis_of(form.axes[i], shapes[i]->size());
    if (!axis || (i > 0 && form.length != (*shapes[i])[*axis])) return std::nullopt;
    form.length = (*shapes[i])[*axis];
  }
  return form.length < 1 ? std::nullopt : std::optional(std::move(form));
}

// Adds the elements of the scanned inputs at one step.
void take_elements(const onnx::NodeProto& node, const ScanForm& form, int64_t step,
                   const std::string& prefix, Names& inputs, Expansion& to) {
  for (int i = 0; i < form.scanned; ++i) {
    const auto at = static_cast<size_t>(i);
    const std::string name = prefix + "/element" + std::to_string(i);
    const int64_t place = form.backward[at] != 0 ? form.length - 1 - step : step;
    to.initializers.push_back(whole_tensor(name + "/place", {place}, true));
    to.nodes.push_back(make_node("Gather", {node.input(form.states + i), name + "/place"}, name,
                                 {{"axis", form.axes[at]}}));
    inputs.push_back(name);
  }
}

}  // namespace

Expanded ControlFlow::expand(onnx::NodeProto& node) {
  TRY(note_sequence(node));
  if (prefix_of(node).empty()) return kStays;
  if (node.op_type() == "If") return expand_if(node);
  if (node.op_type() == "Loop") return expand_loop(node);
  if (node.op_type() == "Scan")
    return opset_ < 9 ? expand_batched_scan(node) : expand_scan(node, scanned_shapes(node));
  return expand_sequence(node);
}

Result<void> ControlFlow::count(const onnx::NodeProto& node, const onnx::GraphProto& body,
                                int64_t times) {
  constexpr int64_t kBytesOfNode = 4096;  // constants in a body are copied with it
  const auto bytes = static_cast<int64_t>(body.ByteSizeLong());
  inlined_ += times * (body.node_size() + bytes / kBytesOfNode);
  if (inlined_ <= kMostInlinedNodes) return {};
  return fail(
      "node {} ({}) makes more than {} nodes with the other bodies of the model; expected fewer",
      label_of(node), node.op_type(), kMostInlinedNodes);
}

Expanded ControlFlow::expand_if(const onnx::NodeProto& node) {
  if (node.input_size() != 1) return kStays;
  const std::optional<int64_t> condition = TRY(known_.whole(node.input(0)));
  if (!condition) return kStays;
  const std::string name = *condition != 0 ? "then_branch" : "else_branch";
  const onnx::GraphProto* const body = body_of(node, name);
  if (body == nullptr || body->output_size() < node.output_size()) return kStays;
  TRY(count(node, *body, 1));
  Expansion expansion;
  InlinedBody inlined = inline_body(*body, prefix_of(node), {});
  const Names outputs = inlined.outputs;
  append(std::move(inlined), expansion);
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty())
      expansion.nodes.push_back(
          make_node("Identity", {outputs[static_cast<size_t>(i)]}, node.output(i)));
  return std::optional(std::move(expansion));
}

Expanded ControlFlow::expand_loop(onnx::NodeProto& node) {
  const onnx::GraphProto* const body = body_of(node, "body");
  if (body == nullptr || body->input_size() < 2) return kStays;
  const int64_t carried = body->input_size() - 2;
  const int64_t scans = body->output_size() - 1 - carried;
  const int64_t done = whole_attribute(node, kUnrolled, 0);
  const bool fits = scans >= 0 && node.input_size() == 2 + carried + done * scans &&
                    node.output_size() <= carried + scans;
  if (!fits) return kStays;
  std::optional<int64_t> iterations, holds;
  if (!node.input(0).empty() && !(iterations = TRY(known_.whole(node.input(0))))) return kStays;
  if (!node.input(1).empty() && !(holds = TRY(known_.whole(node.input(1))))) return kStays;
  if ((iterations && done >= *iterations) || (holds && *holds == 0))
    return finish_loop(node, carried, done);
  TRY(check_length(node, iterations.value_or(done + 1)));
  return unroll_once(node, carried, done);
}

// One iteration, then a Loop for the rest, whose inputs are the carried outputs of this iteration,
// followed by the scan outputs so far.
Expanded ControlFlow::unroll_once(onnx::NodeProto& node, int64_t carried, int64_t done) {
  TRY(count(node, *body_of(node, "body"), 1));
  const std::string prefix = prefix_of(node) + "/" + std::to_string(done);
  Expansion expansion;
  expansion.initializers = {whole_tensor(prefix + "/iteration", {done}, true),
                            truth_tensor(prefix + "/condition", true)};
  Names inputs = {prefix + "/iteration", prefix + "/condition"};
  for (int i = 0; i < carried; ++i) inputs.push_back(node.input(2 + i));
  InlinedBody inlined = inline_body(*body_of(node, "body"), prefix, inputs);
  const Names outputs = inlined.outputs;
  append(std::move(inlined), expansion);
  node.set_input(1, outputs[0]);
  for (int i = 0; i < carried; ++i) node.set_input(2 + i, outputs[static_cast<size_t>(1 + i)]);
  for (size_t i = 1 + static_cast<size_t>(carried); i < outputs.size(); ++i)
    node.add_input(outputs[i]);
  set_whole_attribute(node, kUnrolled, done + 1);
  expansion.nodes.emplace_back().Swap(&node);
  return std::optional(std::move(expansion));
}

Expanded ControlFlow::finish_loop(const onnx::NodeProto& node, int64_t carried,
                                  int64_t done) const {
  Expansion expansion;
  const onnx::GraphProto& body = *body_of(node, "body");
  const int64_t scans = body.output_size() - 1 - carried;
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    if (i < carried) {
      expansion.nodes.push_back(make_node("Identity", {node.input(2 + i)}, node.output(i)));
      continue;
    }
    Names pieces;
    for (int64_t k = 0; k < done; ++k)
      pieces.push_back(node.input(static_cast<int>(2 + carried + k * scans + i - carried)));
    // A scan of no iterations is empty, and its other extents are unknown.
    if (pieces.empty()) return kStays;
    stack(pieces, node.output(i), 0, opset_, expansion);
  }
  return std::optional(std::move(expansion));
}

ControlFlow::Shapes ControlFlow::scanned_shapes(const onnx::NodeProto& node) const {
  Shapes shapes;
  const int64_t scanned = whole_attribute(node, "num_scan_inputs", 0);
  if (scanned < 1 || scanned > node.input_size()) return shapes;
  for (int i = node.input_size() - static_cast<int>(scanned); i < node.input_size(); ++i)
    shapes.push_back(known_.shape(node.input(i)));
  return shapes;
}

Expanded ControlFlow::expand_scan(const onnx::NodeProto& node, const Shapes& shapes) {
  const onnx::GraphProto* const body = body_of(node, "body");
  const std::optional<ScanForm> form =
      body == nullptr ? std::nullopt : form_of(node, *body, shapes);
  if (!form) return kStays;
  TRY(check_length(node, form->length));
  TRY(count(node, *body, form->length));
  Names carried(node.input().begin(), node.input().begin() + form->states);
  std::vector<Names> pieces(static_cast<size_t>(node.output_size() - form->states));
  Expansion expansion;
  for (int64_t t = 0; t < form->length; ++t) {
    const std::string prefix = prefix_of(node) + "/" + std::to_string(t);
    Names inputs = carried;
    take_elements(node, *form, t, prefix, inputs, expansion);
    InlinedBody inlined = inline_body(*body, prefix, inputs);
    for (size_t i = 0; i < carried.size(); ++i) carried[i] = inlined.outputs[i];
    for (size_t i = 0; i < pieces.size(); ++i)
      pieces[i].push_back(inlined.outputs[carried.size() + i]);
    append(std::move(inlined), expansion);
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    if (i < form->states) {
      expansion.nodes.push_back(
          make_node("Identity", {carried[static_cast<size_t>(i)]}, node.output(i)));
      continue;
    }
    const auto at = static_cast<size_t>(i - form->states);
    if (form->output_backward[at] != 0) std::ranges::reverse(pieces[at]);
    stack(pieces[at], node.output(i), form->output_axes[at], opset_, expansion);
  }
  return std::optional(std::move(expansion));
}

// In operator set 8 a Scan handles each example of a batch separately, along the axis after the
// batch: it becomes one newer Scan for each example.
Expanded ControlFlow::expand_batched_scan(const onnx::NodeProto& node) {
  if (node.input_size() < 2 || !node.input(0).empty()) return kStays;
  const auto shape = known_.shape(node.input(node.input_size() - 1));
  if (!shape || shape->empty()) return kStays;
  TRY(check_length(node, shape->front()));
  Shapes shapes = scanned_shapes(node);
  for (auto& one : shapes)
    if (one && !one->empty()) one->erase(one->begin());
  Expansion expansion;
  std::vector<Names> pieces(static_cast<size_t>(node.output_size()));
  for (int64_t b = 0; b < shape->front(); ++b) {
    const std::string prefix = prefix_of(node) + "/batch" + std::to_string(b);
    expansion.initializers.push_back(whole_tensor(prefix + "/place", {b}, true));
    onnx::NodeProto scan = node;
    scan.clear_input();
    for (auto& attribute : *scan.mutable_attribute())
      if (attribute.name() == "directions") attribute.set_name("scan_input_directions");
    for (int i = 1; i < node.input_size(); ++i) {
      const std::string name = prefix + "/" + std::to_string(i);
      expansion.nodes.push_back(
          make_node("Gather", {node.input(i), prefix + "/place"}, name, {{"axis", 0}}));
      scan.add_input(name);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      scan.set_output(i, node.output(i).empty() ? "" : prefix + "/out" + std::to_string(i));
      pieces[static_cast<size_t>(i)].push_back(scan.output(i));
    }
    Expanded one = expand_scan(scan, shapes);
    if (!one || !*one) return one;
    std::ranges::move((*one)->nodes, std::back_inserter(expansion.nodes));
    std::ranges::move((*one)->initializers, std::back_inserter(expansion.initializers));
  }
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty())
      stack(pieces[static_cast<size_t>(i)], node.output(i), 0, opset_, expansion);
  return std::optional(std::move(expansion));
}

}  // namespace dovetail
