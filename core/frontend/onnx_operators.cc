// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_operators.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace node_rules {

using Class = OperatorClass;

static constexpr OnnxOperators kTable[] = {
    {Class::complex, "Conv ConvTranspose Gemm MatMul"},
    {Class::unknown, "ConvInteger QLinearConv", conv_integer, Takes::numbers},
    {Class::unknown, "MatMulInteger QLinearMatMul", matmul_integer, Takes::numbers},
    {Class::unknown, "Einsum", einsum, Takes::numbers},
    {Class::elementwise,
     "Abs Acos Asin Atan Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish "
     "LeakyRelu Log Mish Neg Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus "
     "Softsign Sqrt Tan Tanh ThresholdedRelu",
     unary, Takes::numbers},
    {Class::elementwise, "Acosh Asinh Atanh", area_function},
    {Class::elementwise, "Add Div Mul PRelu Pow Sub", binary, Takes::numbers},
    {Class::elementwise, "BatchNormalization", batch_normalization, Takes::reals, SameRank::first},
    {Class::elementwise, "BitShift", bit_shift, Takes::numbers},
    {Class::elementwise, "And Equal Greater GreaterOrEqual IsNaN Less LessOrEqual Not Or Xor",
     comparison, Takes::all},
    {Class::elementwise, "Cast CastLike", cast, Takes::all, SameRank::none, 1},
    {Class::elementwise, "Clip", clip, Takes::numbers},
    {Class::elementwise, "DequantizeLinear", dequantize, Takes::numbers},
    {Class::elementwise, "Dropout", dropout, Takes::all, SameRank::none, 1},
    {Class::elementwise, "Identity"},
    {Class::elementwise, "IsInf", is_infinite, Takes::all},
    {Class::elementwise, "Max Mean Min Sum", variadic, Takes::numbers},
    {Class::elementwise, "Mod", modulo, Takes::numbers},
    {Class::elementwise, "QuantizeLinear", quantize, Takes::numbers},
    {Class::elementwise, "Shrink", shrink},
    {Class::elementwise, "Where", where, Takes::all},
    {Class::reduction, "ArgMax ArgMin", arg_extremum, Takes::numbers},
    {Class::reduction, "AveragePool LpPool MaxPool", pool, Takes::numbers, SameRank::first},
    {Class::reduction, "CumSum", cumulative_sum, Takes::numbers, SameRank::first},
    {Class::reduction, "Det", determinant},
    {Class::reduction,
     "GlobalAveragePool GlobalMaxPool ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
     "ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare",
     reduce, Takes::numbers, SameRank::none, 1},
    {Class::reduction, "GlobalLpPool", global_lp_pool, Takes::reals, SameRank::first},
    {Class::reduction, "GroupNormalization", group_normalization, Takes::reals, SameRank::first},
    {Class::reduction, "Hardmax", hardmax, Takes::reals, SameRank::first},
    {Class::reduction, "InstanceNormalization", instance_normalization, Takes::reals,
     SameRank::first},
    {Class::reduction, "LRN", lrn, Takes::reals, SameRank::first},
    {Class::reduction, "LayerNormalization", layer_normalization, Takes::reals, SameRank::first},
    {Class::reduction, "LogSoftmax Softmax", softmax, Takes::reals, SameRank::first},
    {Class::reduction, "LpNormalization", lp_normalization, Takes::reals, SameRank::first},
    {Class::reduction, "MeanVarianceNormalization", mean_variance, Takes::reals, SameRank::first},
    {Class::reduction, "TopK", top_k, Takes::numbers, SameRank::first, 1},
    {Class::unknown, "DynamicQuantizeLinear", dynamic_quantize, Takes::numbers},
    {Class::unknown, "NegativeLogLikelihoodLoss", likelihood_loss, Takes::numbers},
    {Class::unknown, "SoftmaxCrossEntropyLoss", cross_entropy_loss, Takes::numbers},
    {Class::data_movement, "BlackmanWindow HammingWindow HannWindow", window, Takes::numbers,
     SameRank::none, 0},
    {Class::data_movement, "CenterCropPad", center_crop_pad, Takes::numbers, SameRank::first, 1},
    {Class::data_movement, "Compress Constant Flatten Reshape Shape Size Squeeze Unsqueeze"},
    {Class::data_movement, "Concat", concat, Takes::all, SameRank::all},
    {Class::data_movement, "ConstantOfShape", one_constant, Takes::all, SameRank::none, 0},
    {Class::data_movement, "DepthToSpace", depth_to_space, Takes::all, SameRank::first},
    {Class::data_movement, "Expand", expand, Takes::all, SameRank::none, 1},
    {Class::data_movement, "EyeLike", eye, Takes::all, SameRank::none, 0},
    {Class::data_movement, "Gather", gather, Takes::all},
    {Class::data_movement, "GatherElements", gather_elements, Takes::all, SameRank::all},
    {Class::data_movement, "GatherND", gather_nd, Takes::all},
    {Class::data_movement, "OneHot", one_hot, Takes::numbers},
    {Class::data_movement, "Pad", pad, Takes::numbers, SameRank::first},
    {Class::data_movement, "Range", range, Takes::numbers},
    {Class::data_movement, "Resize", resize, Takes::numbers, SameRank::first},
    {Class::data_movement, "ReverseSequence", reverse_sequence, Takes::all, SameRank::first},
    {Class::data_movement, "Scatter ScatterElements", scatter_elements, Takes::numbers,
     SameRank::all},
    {Class::data_movement, "ScatterND", scatter_nd, Takes::numbers, SameRank::first},
    {Class::data_movement, "Slice", slice, Takes::all, SameRank::first},
    {Class::data_movement, "SpaceToDepth", space_to_depth, Takes::all, SameRank::first},
    {Class::data_movement, "Split", split, Takes::all, SameRank::first, 1},
    {Class::data_movement, "Tile", tile, Takes::all, SameRank::first, 1},
    {Class::data_movement, "Transpose", transpose, Takes::all, SameRank::first},
    {Class::data_movement, "Trilu", trilu, Takes::all, SameRank::first},
    {Class::data_movement, "Upsample", upsample, Takes::numbers, SameRank::first},
};

}  // namespace node_rules

const OnnxOperators* find_operators(std::string_view type) {
  for (const OnnxOperators& row : node_rules::kTable)
    if (is_one_of(row.types, type)) return &row;
  return nullptr;
}

bool is_one_of(std::string_view names, std::string_view type) {
  const std::vector<std::string_view> words = split(names, ' ');
  return std::ranges::find(words, type) != words.end();
}

OperatorClass classify_onnx(std::string_view type) {
  const OnnxOperators* const found = find_operators(type);
  return found == nullptr ? OperatorClass::unknown : found->operator_class;
}

}  // namespace dovetail
