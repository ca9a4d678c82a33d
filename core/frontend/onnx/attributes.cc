// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx/attributes.h"

#include <onnx/onnx_pb.h>

#include "core/base/fail.h"
#include "core/frontend/onnx/tensor.h"

namespace dovetail {
namespace {

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}

Attribute convert_attribute(const onnx::AttributeProto& attribute) {
  using Proto = onnx::AttributeProto;
  switch (attribute.type()) {
    case Proto::INT: return attribute.i();
    case Proto::FLOAT: return decimal_of(attribute.f());
    case Proto::STRING: return attribute.s();
    case Proto::INTS: return std::vector<int64_t>(attribute.ints().begin(), attribute.ints().end());
    case Proto::FLOATS: {
      std::vector<double> values;
      for (const float value : attribute.floats()) values.push_back(decimal_of(value));
      if (values.empty()) return std::vector<int64_t>{};
      return values;
    }
    case Proto::STRINGS: return fmt::format("{}", fmt::join(attribute.strings(), ","));
    default: return "(" + onnx::AttributeProto::AttributeType_Name(attribute.type()) + ")";
  }
}

std::optional<onnx::TensorProto> value_of(const onnx::NodeProto& node) {
  onnx::TensorProto tensor;
  if (const auto* value = find_attribute(node, "value")) return value->t();
  if (const auto* number = find_attribute(node, "value_float")) {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(number->f());
  } else if (const auto* whole = find_attribute(node, "value_int")) {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_int64_data(whole->i());
  } else if (const auto* numbers = find_attribute(node, "value_floats")) {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(numbers->floats_size());
    *tensor.mutable_float_data() = numbers->floats();
  } else if (const auto* wholes = find_attribute(node, "value_ints")) {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(wholes->ints_size());
    *tensor.mutable_int64_data() = wholes->ints();
  } else {
    return std::nullopt;
  }
  return tensor;
}

}  // namespace

Result<std::map<std::string, Attribute>> convert_attributes(const onnx::NodeProto& node) {
  std::map<std::string, Attribute> attributes;
  for (const auto& attribute : node.attribute()) {
    if (attribute.type() != onnx::AttributeProto::TENSOR || node.op_type() != "ConstantOfShape") {
      attributes[attribute.name()] = convert_attribute(attribute);
      continue;
    }
    const GraphTensor value = TRY(convert_tensor(attribute.t()));
    if (!value.data || value.data->size() != 1)
      return fail("node {} has {} elements as its value; expected 1",
                  node.name().empty() ? node.op_type() : node.name(), num_elements(*value.shape));
    if (value.data->type() == ElementType::f32)
      attributes[attribute.name()] = decimal_of(value.data->as<float>()[0]);
    else
      attributes[attribute.name()] = value.data->integer(0);
  }
  return attributes;
}

Result<std::optional<GraphTensor>> constant_of(const onnx::NodeProto& node) {
  if (node.op_type() != "Constant" || node.output_size() != 1) return std::optional<GraphTensor>();
  std::optional<onnx::TensorProto> tensor = value_of(node);
  if (!tensor) return std::optional<GraphTensor>();
  tensor->set_name(node.output(0));
  GraphTensor constant = TRY(convert_tensor(*tensor));
  return std::optional(std::move(constant));
}

}  // namespace dovetail
