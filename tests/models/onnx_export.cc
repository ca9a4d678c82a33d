// SPDX-License-Identifier: Apache-2.0
#include "tests/models/onnx_export.h"

#include <fmt/format.h>

#if DOVETAIL_HAVE_ONNX
#include <onnx/defs/attr_proto_util.h>
#include <onnx/onnx_pb.h>

#include <fstream>

#include "core/frontend/graph_edit.h"
#endif

namespace dovetail {

#if DOVETAIL_HAVE_ONNX
namespace {

constexpr int64_t kIrVersion = 7;
constexpr int64_t kOpset = 13;

Result<int32_t> onnx_type_of(const GraphTensor& tensor) {
  switch (tensor.type) {
    case ElementType::f32: return onnx::TensorProto::FLOAT;
    case ElementType::f16: return onnx::TensorProto::FLOAT16;
    case ElementType::bf16: return onnx::TensorProto::BFLOAT16;
    case ElementType::i64: return onnx::TensorProto::INT64;
    default: break;
  }
  return fail(fmt::format("tensor {} is {}; expected f32, f16, bf16 or i64", tensor.name,
                          name_of(tensor.type)));
}

onnx::AttributeProto attribute_proto(const std::string& name, const Attribute& attribute) {
  if (const auto* number = std::get_if<double>(&attribute))
    return onnx::MakeAttribute(name, static_cast<float>(*number));
  if (const auto* numbers = std::get_if<std::vector<double>>(&attribute))
    return onnx::MakeAttribute(name, std::vector<float>(numbers->begin(), numbers->end()));
  if (const auto* whole = std::get_if<int64_t>(&attribute))
    return onnx::MakeAttribute(name, *whole);
  if (const auto* text = std::get_if<std::string>(&attribute))
    return onnx::MakeAttribute(name, *text);
  return onnx::MakeAttribute(name, std::get<std::vector<int64_t>>(attribute));
}

Result<void> write_constant(const GraphTensor& tensor, onnx::TensorProto& proto) {
  proto.set_name(tensor.name);
  proto.set_data_type(TRY(onnx_type_of(tensor)));
  if (!has_floats(tensor) && !has_integers(tensor))
    return fail(fmt::format("constant {} has no data; expected it", tensor.name));
  for (const int64_t extent : *tensor.shape) proto.add_dims(extent);
  const NDArray stored = converted(*tensor.data, tensor.type);
  const auto bytes = stored.bytes();
  proto.set_raw_data(bytes.data(), bytes.size());
  return {};
}

Result<void> write_value(const GraphTensor& tensor, onnx::ValueInfoProto& proto) {
  proto.set_name(tensor.name);
  auto& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(TRY(onnx_type_of(tensor)));
  if (!tensor.shape) return fail(fmt::format("tensor {} has no shape; expected one", tensor.name));
  for (const int64_t extent : *tensor.shape) type.mutable_shape()->add_dim()->set_dim_value(extent);
  return {};
}

Result<void> write_node(const Graph& graph, const GraphNode& node, onnx::NodeProto& proto) {
  if (node.op) return fail(fmt::format("node {} has a spec; expected an ONNX operator", node.name));
  const auto name = [&](TensorId id) { return id == kNoTensor ? "" : tensor_of(graph, id).name; };
  proto.set_name(node.name);
  proto.set_op_type(node.type);
  for (const TensorId id : node.inputs) proto.add_input(name(id));
  for (const TensorId id : node.outputs) proto.add_output(name(id));
  for (const auto& [name, value] : node.attributes)
    *proto.add_attribute() = attribute_proto(name, value);
  return {};
}

}  // namespace

Result<void> export_onnx(const Graph& graph, const std::string& path) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("dovetail");
  model.add_opset_import()->set_version(kOpset);
  auto& proto = *model.mutable_graph();
  proto.set_name(graph.name);
  for (const TensorId id : graph.inputs) TRY(write_value(tensor_of(graph, id), *proto.add_input()));
  for (const TensorId id : graph.outputs)
    TRY(write_value(tensor_of(graph, id), *proto.add_output()));
  for (const GraphTensor& tensor : graph.tensors)
    if (tensor.constant) TRY(write_constant(tensor, *proto.add_initializer()));
  for (const GraphNode& node : graph.nodes) TRY(write_node(graph, node, *proto.add_node()));
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!stream || !model.SerializeToOstream(&stream) || !stream.flush())
    return fail(fmt::format("model {}: cannot write it", path));
  return {};
}
#else
Result<void> export_onnx(const Graph&, const std::string& path) {
  return fail(fmt::format(
      "model {}: this build writes no ONNX; expected one configured with -DDOVETAIL_ONNX=ON",
      path));
}
#endif

}  // namespace dovetail
