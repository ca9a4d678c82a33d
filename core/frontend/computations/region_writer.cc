// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/region_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

std::string_view suffix_of(ElementType type) {
  switch (type) {
    case ElementType::i64: return "xi64";
    case ElementType::i32: return "xi32";
    case ElementType::boolean: return "xbool";
    default: return "";
  }
}

}  // namespace

RegionWriter::RegionWriter(const Graph& graph, const GraphNode& node, size_t most_inputs)
    : graph_(graph), output_(node.outputs[0]) {
  for (const TensorId id : node.inputs)
    if (id != kNoTensor && inputs_.size() < most_inputs) inputs_.push_back(id);
  if (!has_shapes()) return;
  for (size_t i = 0; i < output_shape().size(); ++i) extents_[axis(i)] = output_shape()[i];
}

bool RegionWriter::has_real_output() const {
  return tensor_of(graph_, output_).type == ElementType::f32;
}

bool RegionWriter::is_real() const {
  return has_real_output() && std::ranges::all_of(inputs_, [&](TensorId id) {
           return tensor_of(graph_, id).type == ElementType::f32;
         });
}

bool RegionWriter::has_shapes() const {
  const auto is_known = [&](TensorId id) {
    const auto& shape = tensor_of(graph_, id).shape;
    return shape && num_elements(*shape) > 0;
  };
  constexpr size_t kLetters = 24;  // A to X
  return output_ != kNoTensor && is_known(output_) && std::ranges::all_of(inputs_, is_known) &&
         inputs_.size() <= kLetters;
}

bool RegionWriter::broadcasts() const {
  for (size_t i = 0; i < num_inputs(); ++i) {
    const std::vector<int64_t>& own = shape(i);
    if (own.size() > output_shape().size()) return false;
    const size_t missing = output_shape().size() - own.size();
    for (size_t axis = 0; axis < own.size(); ++axis)
      if (own[axis] != 1 && own[axis] != output_shape()[missing + axis]) return false;
  }
  return true;
}

const GraphTensor& RegionWriter::input(size_t position) const {
  return tensor_of(graph_, inputs_[position]);
}

const std::vector<int64_t>& RegionWriter::shape(size_t input) const {
  return *tensor_of(graph_, inputs_[input]).shape;
}

const std::vector<int64_t>& RegionWriter::output_shape() const {
  return *tensor_of(graph_, output_).shape;
}

std::vector<std::string> RegionWriter::axes() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < output_shape().size(); ++i) names.push_back(axis(i));
  return names;
}

// A single number has one axis here.
std::string element_of(const std::string& tensor, const std::vector<std::string>& indices) {
  return fmt::format("{}[{}]", tensor,
                     indices.empty() ? "0" : fmt::format("{}", fmt::join(indices, ",")));
}

std::string RegionWriter::output() const {
  return axes().empty() ? "Y[z]" : element_of("Y", axes());
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
  std::vector<std::string> keys;
  for (const auto& [axis, extent] : extents_) keys.push_back(fmt::format("{}={}", axis, extent));
  if (output_shape().empty()) keys.emplace_back("z=1");
  NodeRegion region;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    // A tensor that the text does not read is none of it.
    if (statements.find(name(i) + "[") == std::string::npos) continue;
    const std::string extents =
        shape(i).empty() ? "1" : fmt::format("{}", fmt::join(shape(i), "x"));
    keys.push_back(fmt::format("{}={}{}", name(i), extents, suffix_of(input(i).type)));
    region.given.emplace_back(name(i), inputs_[i]);
  }
  region.text = fmt::format("{}:{}", statements, fmt::join(keys, ","));
  return region;
}

std::string number_text(double value) {
  const std::string text = fmt::format("{}", value);
  return value < 0 ? "(0-" + text.substr(1) + ")" : text;
}

}  // namespace dovetail
