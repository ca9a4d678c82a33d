// SPDX-License-Identifier: Apache-2.0
// Sequences of tensors whose lengths and positions are known when the model is read: nodes that
// take an element out of a sequence read the element directly, so that the sequence is unread.
#include "core/frontend/model/control_flow.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <numeric>

#include "core/base/fail.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/model/bodies.h"
#include "core/frontend/model/node_writer.h"

namespace dovetail {
namespace {

constexpr size_t kMostElements = 2048;

std::string input_of(const onnx::NodeProto& node, int position) {
  return position < node.input_size() ? node.input(position) : std::string();
}

}  // namespace

// The position that an input holds, the last one if it is omitted; nullopt if it is unknown.
Result<std::optional<size_t>> ControlFlow::place_in(const onnx::NodeProto& node, int input,
                                                    size_t size) const {
  const std::string name = input_of(node, input);
  if (name.empty()) return size == 0 ? std::nullopt : std::optional(size - 1);
  const std::optional<int64_t> number = TRY(known_.whole(name));
  if (!number) return std::optional<size_t>();
  const auto place = position_of(*number, static_cast<int64_t>(size));
  if (!place)
    return fail("node {} ({}) has position {} of {} elements; expected one of them", label_of(node),
                node.op_type(), *number, size);
  return std::optional(static_cast<size_t>(*place));
}

// Nodes that make sequences stay in the graph until they are dropped as unread.
Result<void> ControlFlow::note_sequence(const onnx::NodeProto& node) {
  const std::string& type = node.op_type();
  if (node.output_size() == 0) return {};
  if (type == "SequenceEmpty") sequences_[node.output(0)] = {};
  if (type == "SequenceConstruct")
    sequences_[node.output(0)] = ControlFlow::Names(node.input().begin(), node.input().end());
  const auto found = sequences_.find(input_of(node, 0));
  if (found == sequences_.end()) return {};
  ControlFlow::Names elements = found->second;
  if (type == "Identity") sequences_[node.output(0)] = elements;
  if (type == "SequenceInsert") {
    // A negative position counts from the end; insertion after the last element is allowed.
    std::optional<size_t> place = elements.size();
    if (!input_of(node, 2).empty() &&
        TRY(known_.whole(node.input(2))) != static_cast<int64_t>(elements.size()))
      place = TRY(place_in(node, 2, elements.size()));
    if (!place || elements.size() >= kMostElements) return {};
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(*place), input_of(node, 1));
    sequences_[node.output(0)] = std::move(elements);
  } else if (type == "SequenceErase") {
    const auto place = TRY(place_in(node, 1, elements.size()));
    if (!place) return {};
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(*place));
    sequences_[node.output(0)] = std::move(elements);
  }
  return {};
}

Result<std::optional<Expansion>> ControlFlow::expand_sequence(const onnx::NodeProto& node) {
  const std::string& type = node.op_type();
  Expansion expansion;
  if (type == "SplitToSequence") {
    const auto names = TRY(split_names(node, expansion));
    if (!names) return std::optional<Expansion>();
    expansion.nodes.push_back(make_node("SequenceConstruct", *names, node.output(0)));
    return std::optional(std::move(expansion));
  }
  if (type == "SequenceMap") return map_sequence(node);
  const auto found = sequences_.find(input_of(node, 0));
  if (found == sequences_.end()) return std::optional<Expansion>();
  const ControlFlow::Names& elements = found->second;
  if (type == "SequenceAt") {
    const auto place = TRY(place_in(node, 1, elements.size()));
    if (!place) return std::optional<Expansion>();
    expansion.nodes = {make_node("Identity", {elements[*place]}, node.output(0))};
  } else if (type == "SequenceLength") {
    expansion.initializers = {whole_tensor(node.output(0), {std::ssize(elements)}, true)};
  } else if (type == "ConcatFromSequence" && !elements.empty()) {
    const int64_t axis = whole_attribute(node, "axis", 0);
    onnx::NodeProto joined = make_node("Concat", elements, node.output(0), {{"axis", axis}});
    if (whole_attribute(node, "new_axis", 0) != 0) {
      for (int i = 0; i < joined.input_size(); ++i) {
        const std::string name = node.output(0) + "/" + std::to_string(i);
        add_unsqueeze(expansion.nodes, expansion.initializers, opset_, joined.input(i), name, axis);
        joined.set_input(i, name);
      }
    }
    expansion.nodes.push_back(std::move(joined));
  } else {
    return std::optional<Expansion>();
  }
  return std::optional(std::move(expansion));
}

// Parts of the lengths in the second input (a scalar: of all but the last; a list: one each), or,
// without it, of one element, whose axis is dropped unless `keepdims` is set.
Result<std::optional<ControlFlow::Names>> ControlFlow::split_names(const onnx::NodeProto& node,
                                                                   Expansion& expansion) const {
  const auto shape = known_.shape(input_of(node, 0));
  const auto axis = shape ? axis_of(whole_attribute(node, "axis", 0), shape->size()) : std::nullopt;
  if (!axis) return std::optional<ControlFlow::Names>();
  const int64_t extent = (*shape)[*axis];
  const std::string& name = node.output(0);
  const bool one_by_one = input_of(node, 1).empty();
  std::optional<std::vector<int64_t>> lengths = std::vector<int64_t>{1};
  if (!one_by_one) lengths = TRY(known_.wholes(node.input(1)));
  if (!lengths || lengths->empty()) return std::optional<ControlFlow::Names>();
  const auto given = one_by_one ? std::vector<int64_t>{1, 1} : known_.shape(node.input(1));
  if (one_by_one || !given || given->empty()) {
    const int64_t each = lengths->front();
    if (each < 1) return std::optional<ControlFlow::Names>();
    lengths->clear();
    for (int64_t done = 0; done < extent; done += each)
      lengths->push_back(std::min(each, extent - done));
  }
  const bool fit = std::accumulate(lengths->begin(), lengths->end(), int64_t{0}) == extent &&
                   lengths->size() <= kMostElements;
  if (!fit)
    return fail(
        "node {} (SplitToSequence) has parts [{}] of an axis of {}; expected at most {} "
        "that fill it",
        label_of(node), fmt::join(*lengths, ","), extent, kMostElements);
  const bool squeezes = one_by_one && whole_attribute(node, "keepdims", 1) == 0;
  ControlFlow::Names names;
  int64_t begin = 0;
  for (size_t i = 0; i < lengths->size(); ++i) {
    names.push_back(name + "/" + std::to_string(i));
    const std::string place = names.back() + "/place";
    std::vector<int64_t> places(static_cast<size_t>((*lengths)[i]));
    std::iota(places.begin(), places.end(), begin);
    expansion.initializers.push_back(whole_tensor(place, places, squeezes));
    expansion.nodes.push_back(make_node("Gather", {node.input(0), place}, names.back(),
                                        {{"axis", static_cast<int64_t>(*axis)}}));
    begin += (*lengths)[i];
  }
  return std::optional(std::move(names));
}

// Inlines the body for each element of the first input, with the same element of other sequences;
// tensors are the same for all.
Result<std::optional<Expansion>> ControlFlow::map_sequence(const onnx::NodeProto& node) {
  const onnx::GraphProto* const body = body_of(node, "body");
  const auto first = sequences_.find(input_of(node, 0));
  if (body == nullptr || first == sequences_.end() || body->input_size() != node.input_size() ||
      body->output_size() < node.output_size())
    return std::optional<Expansion>();
  const size_t size = first->second.size();
  TRY(count(node, *body, static_cast<int64_t>(size)));
  std::vector<ControlFlow::Names> made(static_cast<size_t>(node.output_size()));
  Expansion expansion;
  for (size_t k = 0; k < size; ++k) {
    ControlFlow::Names inputs;
    for (const std::string& input : node.input()) {
      const auto sequence = sequences_.find(input);
      if (sequence != sequences_.end() && sequence->second.size() != size)
        return fail(
            "node {} (SequenceMap) maps sequences of {} and {} elements; expected equal "
            "ones",
            label_of(node), size, sequence->second.size());
      inputs.push_back(sequence == sequences_.end() ? input : sequence->second[k]);
    }
    InlinedBody inlined = inline_body(*body, node.output(0) + "/" + std::to_string(k), inputs);
    for (size_t i = 0; i < made.size(); ++i) made[i].push_back(inlined.outputs[i]);
    std::ranges::move(inlined.nodes, std::back_inserter(expansion.nodes));
    std::ranges::move(inlined.initializers, std::back_inserter(expansion.initializers));
  }
  for (int i = 0; i < node.output_size(); ++i)
    expansion.nodes.push_back(
        make_node("SequenceConstruct", made[static_cast<size_t>(i)], node.output(i)));
  return std::optional(std::move(expansion));
}

}  // namespace dovetail
