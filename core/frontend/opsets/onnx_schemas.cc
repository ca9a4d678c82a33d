// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/opsets/onnx_schemas.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/frontend/opsets/newer_shapes.h"

namespace dovetail {
namespace {

using onnx::AttributeProto;
using onnx::OpSchema;
using Infer = void(onnx::InferenceContext&);

constexpr int kLibraryOpset = 17;

struct Newer {
  std::string_view type;
  int since;
  int least_inputs, most_inputs;
  std::string like;        // libonnx's operator whose attributes it has, too
  std::string_view more;   // its other attributes, "NAME:KIND …"
  Infer* infer = nullptr;  // null: the shape inference of `like`
  bool several_outputs = false;
};

// Pools are here for `ceil_mode`, in which libonnx counts windows that begin after the input.
// GroupNormalization's scale had one value per group until 21, which its shape tells.
const std::vector<Newer>& newer_operators() {
  using newer_shapes::center_crop_pad, newer_shapes::pad, newer_shapes::pool, newer_shapes::resize,
      newer_shapes::same_as_input;
  static const std::vector<Newer> kRows = {
      {"AveragePool", 11, 1, 1, "AveragePool", "", pool},
      {"AveragePool", 19, 1, 1, "AveragePool", "dilations:ints", pool},
      {"Cast", 19, 1, 1, "Cast", "saturate:int"},
      {"CastLike", 19, 2, 2, "CastLike", "saturate:int"},
      {"CenterCropPad", 18, 2, 2, "", "axes:ints", center_crop_pad},
      {"DequantizeLinear", 19, 2, 3, "DequantizeLinear", "", newer_shapes::dequantize},
      {"DequantizeLinear", 21, 2, 3, "DequantizeLinear", "block_size:int",
       newer_shapes::dequantize},
      {"Gelu", 20, 1, 1, "", "approximate:text", same_as_input},
      {"GroupNormalization", 18, 3, 3, "", "epsilon:float num_groups:int", same_as_input},
      {"GroupNormalization", 21, 3, 3, "", "epsilon:float num_groups:int stash_type:int",
       same_as_input},
      {"LpPool", 18, 1, 1, "LpPool", "ceil_mode:int dilations:ints", pool},
      {"MaxPool", 12, 1, 1, "MaxPool", "", pool, true},
      {"Mish", 18, 1, 1, "", "", same_as_input},
      {"Pad", 18, 2, 4, "Pad", "", pad},
      {"QuantizeLinear", 19, 2, 3, "QuantizeLinear", "saturate:int"},
      {"QuantizeLinear", 21, 2, 3, "QuantizeLinear", "saturate:int block_size:int output_dtype:int",
       newer_shapes::quantize},
      {"ReduceL1", 18, 1, 2, "ReduceSum", ""},
      {"ReduceL2", 18, 1, 2, "ReduceSum", ""},
      {"ReduceLogSum", 18, 1, 2, "ReduceSum", ""},
      {"ReduceLogSumExp", 18, 1, 2, "ReduceSum", ""},
      {"ReduceMax", 18, 1, 2, "ReduceSum", ""},
      {"ReduceMean", 18, 1, 2, "ReduceSum", ""},
      {"ReduceMin", 18, 1, 2, "ReduceSum", ""},
      {"ReduceProd", 18, 1, 2, "ReduceSum", ""},
      {"ReduceSumSquare", 18, 1, 2, "ReduceSum", ""},
      {"Resize", 18, 1, 4, "Resize", "antialias:int axes:ints keep_aspect_ratio_policy:text",
       resize},
      {"Split", 18, 1, 2, "Split", "num_outputs:int", newer_shapes::split, true},
  };
  return kRows;
}

AttributeProto::AttributeType attribute_type(std::string_view kind) {
  if (kind == "int") return AttributeProto::INT;
  if (kind == "ints") return AttributeProto::INTS;
  return kind == "float" ? AttributeProto::FLOAT : AttributeProto::STRING;
}

OpSchema schema_of(const Newer& row) {
  OpSchema schema(std::string(row.type), __FILE__, __LINE__);
  schema.SinceVersion(row.since);
  schema.TypeConstraint("T", OpSchema::all_tensor_types(), "");
  for (int i = 0; i < row.most_inputs; ++i)
    schema.Input(i, "input" + std::to_string(i), "", "T",
                 i < row.least_inputs ? OpSchema::Single : OpSchema::Optional);
  schema.Output(0, "output", "", "T", row.several_outputs ? OpSchema::Variadic : OpSchema::Single,
                false);
  const OpSchema* const like =
      row.like.empty() ? nullptr
                       : onnx::OpSchemaRegistry::Instance()->GetSchema(row.like, kLibraryOpset, "");
  if (like != nullptr)
    for (const auto& [name, attribute] : like->attributes()) schema.Attr(attribute);
  for (const std::string_view attribute : split(row.more, ' ')) {
    if (attribute.empty()) continue;
    const size_t colon = attribute.find(':');
    schema.Attr(std::string(attribute.substr(0, colon)), "",
                attribute_type(attribute.substr(colon + 1)), false);
  }
  CHECK(row.infer != nullptr || like != nullptr, row.type);
  if (row.infer != nullptr)
    schema.TypeAndShapeInferenceFunction(row.infer);
  else
    schema.TypeAndShapeInferenceFunction(like->GetTypeAndShapeInferenceFunction());
  schema.Finalize();
  return schema;
}

class Schemas : public onnx::ISchemaRegistry {
 public:
  Schemas() {
    for (const Newer& row : newer_operators())
      newer_[std::string(row.type)].emplace(row.since, schema_of(row));
  }

  const OpSchema* GetSchema(const std::string& type, int opset,
                            const std::string& domain) const override {
    const auto found = newer_.find(type);
    if (domain.empty() && found != newer_.end())
      if (const auto after = found->second.upper_bound(opset); after != found->second.begin())
        return &std::prev(after)->second;
    const int known = domain.empty() ? std::min(opset, kLibraryOpset) : opset;
    return onnx::OpSchemaRegistry::Instance()->GetSchema(type, known, domain);
  }

 private:
  std::map<std::string, std::map<int, OpSchema>> newer_;  // by type, then by operator set
};

}  // namespace

const onnx::ISchemaRegistry& onnx_schemas() {
  static const Schemas kSchemas;
  return kSchemas;
}

}  // namespace dovetail
