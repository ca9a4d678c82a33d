// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/bodies.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>

namespace dovetail {
namespace {

using Renamings = std::map<std::string, std::string>;

void rename_in_body(onnx::GraphProto& body, Renamings names);

void rename_inputs(onnx::NodeProto& node, const Renamings& names) {
  for (std::string& input : *node.mutable_input())
    if (const auto found = names.find(input); found != names.end()) input = found->second;
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) rename_in_body(*attribute.mutable_g(), names);
    for (auto& body : *attribute.mutable_graphs()) rename_in_body(body, names);
  }
}

// A nested body reads names of all enclosing bodies; its own definitions shadow them.
void rename_in_body(onnx::GraphProto& body, Renamings names) {
  for (const auto& input : body.input()) names.erase(input.name());
  for (const auto& tensor : body.initializer()) names.erase(tensor.name());
  for (const auto& node : body.node())
    for (const std::string& output : node.output()) names.erase(output);
  for (auto& node : *body.mutable_node()) rename_inputs(node, names);
  for (auto& output : *body.mutable_output())
    if (const auto found = names.find(output.name()); found != names.end())
      output.set_name(found->second);
}

}  // namespace

InlinedBody inline_body(const onnx::GraphProto& body, const std::string& prefix,
                        const std::vector<std::string>& inputs) {
  Renamings names;
  for (int i = 0; i < body.input_size() && i < std::ssize(inputs); ++i)
    names[body.input(i).name()] = inputs[static_cast<size_t>(i)];
  const auto inner = [&](const std::string& name) { return names[name] = prefix + "/" + name; };
  InlinedBody inlined;
  for (const auto& tensor : body.initializer()) {
    inlined.initializers.push_back(tensor);
    inlined.initializers.back().set_name(inner(tensor.name()));
  }
  for (const auto& node : body.node())
    for (const std::string& output : node.output())
      if (!output.empty()) inner(output);
  for (const auto& node : body.node()) {
    onnx::NodeProto& copy = inlined.nodes.emplace_back(node);
    if (!node.name().empty()) copy.set_name(prefix + "/" + node.name());
    rename_inputs(copy, names);
    for (std::string& output : *copy.mutable_output())
      if (!output.empty()) output = names.at(output);
  }
  for (const auto& output : body.output()) {
    const auto found = names.find(output.name());
    inlined.outputs.push_back(found == names.end() ? output.name() : found->second);
  }
  return inlined;
}

const onnx::GraphProto* body_of(const onnx::NodeProto& node, const std::string& attribute) {
  for (const auto& one : node.attribute())
    if (one.name() == attribute && one.has_g() && one.g().sparse_initializer_size() == 0)
      return &one.g();
  return nullptr;
}

void collect_captures(const onnx::NodeProto& node, std::set<std::string>& names) {
  const auto collect = [&names](const onnx::GraphProto& body) {
    for (const auto& inner : body.node()) {
      names.insert(inner.input().begin(), inner.input().end());
      collect_captures(inner, names);
    }
    for (const auto& output : body.output()) names.insert(output.name());
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) collect(attribute.g());
    std::ranges::for_each(attribute.graphs(), collect);
  }
}

std::string label_of(const onnx::NodeProto& node) {
  return node.name().empty() ? node.op_type() : node.name();
}

}  // namespace dovetail
