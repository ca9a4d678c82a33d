// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_operators.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace node_rules {

using enum OperatorClass;

static constexpr OnnxOperators kTable[] = {
    {complex, "Conv ConvTranspose Gemm MatMul"},
    {unknown, "ConvInteger QLinearConv", conv_integer, Takes::numbers},
    {unknown, "MatMulInteger QLinearMatMul", matmul_integer, Takes::numbers},
    {unknown, "Einsum", einsum, Takes::numbers},
    {elementwise,
     "Abs Acos Asin Atan Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish "
     "LeakyRelu Log Mish Neg Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus "
     "Softsign Sqrt Tan Tanh ThresholdedRelu",
     unary, Takes::numbers},
    {elementwise, "Acosh Asinh Atanh", area_function},
    {elementwise, "Add Div Mul PRelu Pow Sub", binary, Takes::numbers},
    {elementwise, "BatchNormalization", batch_normalization, Takes::reals, SameRank::first},
    {elementwise, "BitShift", bit_shift, Takes::numbers},
    {elementwise, "And Equal Greater GreaterOrEqual IsNaN Less LessOrEqual Not Or Xor", comparison,
     Takes::all},
    {elementwise, "Cast CastLike", cast, Takes::all, SameRank::none, 1},
    {elementwise, "Clip", clip, Takes::numbers},
    {elementwise, "DequantizeLinear", dequantize, Takes::numbers},
    {elementwise, "Dropout", dropout, Takes::all, SameRank::none, 1},
    {elementwise, "Identity"},
    {elementwise, "IsInf", is_infinite, Takes::all},
    {elementwise, "Max Mean Min Sum", variadic, Takes::numbers},
    {elementwise, "Mod", modulo, Takes::numbers},
    {elementwise, "QuantizeLinear", quantize, Takes::numbers},
    {elementwise, "Shrink", shrink},
    {elementwise, "Where", where, Takes::all},
    {reduction, "ArgMax ArgMin", arg_extremum, Takes::numbers},
    {reduction, "AveragePool LpPool MaxPool", pool, Takes::numbers, SameRank::first},
    {reduction, "CumSum", cumulative_sum, Takes::numbers, SameRank::first},
    {reduction, "Det", determinant},
    {reduction,
     "GlobalAveragePool GlobalMaxPool ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
     "ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare",
     reduce, Takes::numbers, SameRank::none, 1},
    {reduction, "GlobalLpPool", global_lp_pool, Takes::reals, SameRank::first},
    {reduction, "GroupNormalization", group_normalization, Takes::reals, SameRank::first},
    {reduction, "Hardmax", hardmax, Takes::reals, SameRank::first},
    {reduction, "InstanceNormalization", instance_normalization, Takes::reals, SameRank::first},
    {reduction, "LRN", lrn, Takes::reals, SameRank::first},
    {reduction, "LayerNormalization", layer_normalization, Takes::reals, SameRank::first},
    {reduction, "LogSoftmax Softmax", softmax, Takes::reals, SameRank::first},
    {reduction, "LpNormalization", lp_normalization, Takes::reals, SameRank::first},
    {reduction, "MeanVarianceNormalization", mean_variance, Takes::reals, SameRank::first},
    {reduction, "TopK", top_k, Takes::numbers, SameRank::first, 1},
    {unknown, "DynamicQuantizeLinear", dynamic_quantize, Takes::numbers},
    {unknown, "NegativeLogLikelihoodLoss", likelihood_loss, Takes::numbers},
    {unknown, "SoftmaxCrossEntropyLoss", cross_entropy_loss, Takes::numbers},
    {data_movement, "BlackmanWindow HammingWindow HannWindow", window, Takes::numbers,
     SameRank::none, 0},
    {data_movement, "CenterCropPad", center_crop_pad, Takes::numbers, SameRank::first, 1},
    {data_movement, "Compress Constant Flatten Reshape Shape Size Squeeze Unsqueeze"},
    {data_movement, "Concat", concat, Takes::all, SameRank::all},
    {data_movement, "ConstantOfShape", one_constant, Takes::all, SameRank::none, 0},
    {data_movement, "DepthToSpace", depth_to_space, Takes::all, SameRank::first},
    {data_movement, "Expand", expand, Takes::all, SameRank::none, 1},
    {data_movement, "EyeLike", eye, Takes::all, SameRank::none, 0},
    {data_movement, "Gather", gather, Takes::all},
    {data_movement, "GatherElements", gather_elements, Takes::all, SameRank::all},
    {data_movement, "GatherND", gather_nd, Takes::all},
    {data_movement, "OneHot", one_hot, Takes::numbers},
    {data_movement, "Pad", pad, Takes::numbers, SameRank::first},
    {data_movement, "Range", range, Takes::numbers},
    {data_movement, "Resize", resize, Takes::numbers, SameRank::first},
    {data_movement, "ReverseSequence", reverse_sequence, Takes::all, SameRank::first},
    {data_movement, "Scatter ScatterElements", scatter_elements, Takes::numbers, SameRank::all},
    {data_movement, "ScatterND", scatter_nd, Takes::numbers, SameRank::first},
    {data_movement, "Slice", slice, Takes::all, SameRank::first},
    {data_movement, "SpaceToDepth", space_to_depth, Takes::all, SameRank::first},
    {data_movement, "Split", split, Takes::all, SameRank::first, 1},
    {data_movement, "Tile", tile, Takes::all, SameRank::first, 1},
    {data_movement, "Transpose", transpose, Takes::all, SameRank::first},
    {data_movement, "Trilu", trilu, Takes::all, SameRank::first},
    {data_movement, "Upsample", upsample, Takes::numbers, SameRank::first},
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
