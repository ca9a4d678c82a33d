// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/region_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

bool is_taken(ElementType type, Takes takes) {
  if (!is_stored(type)) return false;
  const ComputedType computed = computed_type(type);
  return computed == ComputedType::real ||
         (computed == ComputedType::integer && takes != Takes::reals) || takes == Takes::all;
}

std::string refusal_of(const GraphTensor& tensor, Takes takes) {
  if (tensor.type == ElementType::unknown) return "a tensor of unknown type";
  if (!is_taken(tensor.type, takes)) return fmt::format("a tensor of {}", name_of(tensor.type));
  if (!tensor.shape) return "a shape that is only known at run time";
  return num_elements(*tensor.shape) == 0 ? "a tensor without elements" : "";
}

// The type in a tensor's key; empty for f32, the default.
std::string type_key(ElementType type) {
  return type == ElementType::f32 ? "" : std::string(name_of(type));
}

std::string output_name(size_t position) {
  return position == 0 ? "Y" : fmt::format("Y{}", position);
}

}  // namespace

std::string RegionWriter::name(size_t input) {
  constexpr size_t kLetters = 24;  // A to X: outputs are Y
  std::string name(1, static_cast<char>('A' + input % kLetters));
  return input < kLetters ? name : name + std::to_string(input / kLetters);
}

RegionWriter::RegionWriter(const Graph& graph, const GraphNode& node, size_t most_inputs)
    : graph_(graph), node_(node), inputs_(node.inputs) {
  inputs_.resize(std::min(most_inputs, inputs_.size()));
  while (!inputs_.empty() && inputs_.back() == kNoTensor) inputs_.pop_back();
  if (!has_output(0) || !output_tensor().shape) return;
  for (size_t i = 0; i < output_shape().size(); ++i) extents_[axis(i)] = output_shape()[i];
}

std::string RegionWriter::refusal(Takes takes) const {
  constexpr size_t kMostInputs = 96;  // kernel arguments: OpenCL guarantees 128 pointers
  if (inputs_.size() > kMostInputs) return fmt::format("more than {} inputs", kMostInputs);
  std::string reason;
  for (const auto* ids : {&inputs_, &node_.outputs})
    for (size_t i = 0; i < ids->size(); ++i) {
      const TensorId id = (*ids)[i];
      if (id == kNoTensor || !reason.empty()) continue;
      const GraphTensor& tensor = tensor_of(graph_, id);
      // An empty constant stands for an omitted input, except as the first input.
      const bool nothing = ids == &inputs_ && i > 0 && tensor.constant && tensor.shape &&
                           num_elements(*tensor.shape) == 0;
      if (!nothing) reason = refusal_of(tensor, takes);
    }
  return reason;
}

bool RegionWriter::has_input(size_t position) const {
  return position < inputs_.size() && inputs_[position] != kNoTensor;
}

bool RegionWriter::has_output(size_t position) const {
  return position < node_.outputs.size() && node_.outputs[position] != kNoTensor;
}

bool RegionWriter::broadcasts() const {
  for (size_t i = 0; i < num_inputs(); ++i) {
    if (!has_input(i)) continue;
    const std::vector<int64_t>& own = shape(i);
    if (own.size() > output_shape().size()) return false;
    const size_t missing = output_shape().size() - own.size();
    for (size_t axis = 0; axis < own.size(); ++axis)
      if (own[axis] != 1 && own[axis] != output_shape()[missing + axis]) return false;
  }
  return true;
}

const GraphTensor& RegionWriter::input(size_t position) const {
  return tensor_of(graph_, inputs_.at(position));
}

const std::vector<int64_t>& RegionWriter::shape(size_t input) const {
  return *this->input(input).shape;
}

ComputedType RegionWriter::computed(size_t input) const {
  return computed_type(this->input(input).type);
}

const GraphTensor& RegionWriter::output_tensor(size_t position) const {
  return tensor_of(graph_, node_.outputs.at(position));
}

const std::vector<int64_t>& RegionWriter::output_shape(size_t position) const {
  return *output_tensor(position).shape;
}

ComputedType RegionWriter::made(size_t output) const {
  return computed_type(output_tensor(output).type);
}

std::vector<std::string> RegionWriter::axes() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < output_shape().size(); ++i) names.push_back(axis(i));
  return names;
}

// A scalar has one axis in a region.
std::string element_of(const std::string& tensor, const std::vector<std::string>& indices) {
  return fmt::format("{}[{}]", tensor,
                     indices.empty() ? "0" : fmt::format("{}", fmt::join(indices, ",")));
}

std::string RegionWriter::output() const { return output(0, axes()); }

std::string RegionWriter::output(size_t position, const std::vector<std::string>& indices) const {
  return indices.empty() ? output_name(position) + "[z]"
                         : element_of(output_name(position), indices);
}

std::string RegionWriter::read(size_t input) const {
  std::vector<std::string> indices;
  const size_t missing = output_shape().size() - shape(input).size();
  for (size_t i = 0; i < shape(input).size(); ++i)
    indices.push_back(shape(input)[i] == 1 ? "0" : axis(missing + i));
  return read(input, indices);
}

std::string RegionWriter::read(size_t input, const std::vector<std::string>& indices) const {
  return element_of(name(input), indices);
}

NodeRegion RegionWriter::finish(const std::string& statements) const {
  const auto mentions = [&](const std::string& tensor) {
    return statements.find(tensor + "[") != std::string::npos;
  };
  std::map<std::string, int64_t> extents = extents_;
  if (statements.find("[z]=") != std::string::npos) extents["z"] = 1;
  std::vector<std::string> keys;
  for (const auto& [axis, extent] : extents) keys.push_back(fmt::format("{}={}", axis, extent));
  NodeRegion region;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    // Only tensors that the statements read belong to the region.
    if (!has_input(i) || !mentions(name(i))) continue;
    const std::string type = type_key(input(i).type);
    const std::string shape =
        this->shape(i).empty() ? "1" : fmt::format("{}", fmt::join(this->shape(i), "x"));
    keys.push_back(fmt::format("{}={}{}{}", name(i), shape, type.empty() ? "" : "x", type));
    region.given.emplace_back(name(i), inputs_[i]);
  }
  for (size_t i = 0; i < num_outputs(); ++i) {
    if (!has_output(i)) continue;
    if (!mentions(output_name(i))) return refuse(fmt::format("output {}", i));
    region.made.emplace_back(output_name(i), node_.outputs[i]);
    const std::string type = type_key(output_tensor(i).type);
    if (!type.empty()) keys.push_back(fmt::format("{}={}", output_name(i), type));
  }
  region.spec = fmt::format("{}:{}", statements, fmt::join(keys, ","));
  return region;
}

NodeRegion RegionWriter::finish_reduced(const std::string& value) const {
  return finish(reduced_statements(value));
}

std::string RegionWriter::reduced_statements(const std::string& value, size_t position) const {
  const std::string made = output(position, axes());
  if (output_tensor(position).type == ElementType::f32) return made + "=" + value;
  const std::string sum = fmt::format("X{}", position);
  const std::vector<std::string> read = axes().empty() ? std::vector<std::string>{"0"} : axes();
  return fmt::format(
      "{}={};{}={}", element_of(sum, axes().empty() ? std::vector<std::string>{"z"} : read), value,
      made, converted(element_of(sum, read), ComputedType::real, this->made(position)));
}

std::string number_text(double value) {
  if (std::isnan(value)) return "(inf-inf)";
  const std::string text = fmt::format("{}", value);
  return value < 0 ? "(0-" + text.substr(1) + ")" : text;
}

std::string converted(const std::string& value, ComputedType from, ComputedType to) {
  if (from == to) return value;
  if (to == ComputedType::real) return "real(" + value + ")";
  return (to == ComputedType::integer ? "integer(" : "boolean(") + value + ")";
}

std::string truth_text(const std::string& condition) {
  return fmt::format("boolean(select({},1,0))", condition);
}

std::string index_text(const std::string& value, int64_t extent) {
  return fmt::format("clamp(select({0}<0,{0}+{1},{0}),0,{2})", value, extent, extent - 1);
}

NodeRegion refuse(std::string reason) {
  NodeRegion region;
  region.reason = std::move(reason);
  return region;
}

}  // namespace dovetail
