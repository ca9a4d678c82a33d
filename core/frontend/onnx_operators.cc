// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/import_steps.h"

#include <algorithm>

#include "core/base/text.h"

namespace dovetail {
namespace {

struct ClassTypes {
  OperatorClass operator_class;
  std::string_view types;  // separated by blanks
};
constexpr ClassTypes kClasses[] = {
    {OperatorClass::complex, "Conv ConvTranspose Gemm MatMul"},
    {OperatorClass::elementwise,
     "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BitShift Cast CastLike "
     "Ceil Celu Clip Cos Cosh DequantizeLinear Div Dropout Elu Equal Erf Exp Floor Gelu Greater "
     "GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log "
     "Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow QuantizeLinear Reciprocal Relu Round Selu "
     "Shrink "
     "Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Tan Tanh ThresholdedRelu Where Xor"},
    {OperatorClass::reduction,
     "ArgMax ArgMin AveragePool CumSum Det GlobalAveragePool GlobalLpPool GlobalMaxPool "
     "GroupNormalization Hardmax "
     "InstanceNormalization LRN LayerNormalization LogSoftmax LpNormalization LpPool MaxPool "
     "MeanVarianceNormalization ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
     "ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Softmax TopK"},
    {OperatorClass::data_movement,
     "BlackmanWindow "
     "CenterCropPad Compress Concat Constant ConstantOfShape DepthToSpace Expand "
     "EyeLike Flatten "
     "Gather "
     "GatherElements GatherND HammingWindow HannWindow "
     "OneHot Pad Range Reshape Resize "
     "ReverseSequence Scatter "
     "ScatterElements ScatterND Shape Size Slice SpaceToDepth Split Squeeze Tile Transpose Trilu "
     "Unsqueeze Upsample"},
};

}  // namespace

OperatorClass classify_onnx(std::string_view type) {
  for (const auto& [operator_class, types] : kClasses) {
    const std::vector<std::string_view> names = split(types, ' ');
    if (std::ranges::find(names, type) != names.end()) return operator_class;
  }
  return OperatorClass::unknown;
}

}  // namespace dovetail
