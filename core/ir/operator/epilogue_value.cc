// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/epilogue_value.h"

#include <cmath>

#include "core/base/check.h"

namespace dovetail {
namespace {

Value sigmoid(const Value& x) {
  const Value denominator =
      binary(BinaryOp::add, unary(UnaryOp::exp, binary(BinaryOp::sub, 0.0, x)), 1.0);
  return binary(BinaryOp::div, 1.0, denominator);
}

// x·Φ(x) with the exact error function, as ONNX and PyTorch define it.
Value gelu(const Value& x) {
  const Value erf = unary(UnaryOp::erf, binary(BinaryOp::mul, x, std::sqrt(0.5)));
  return binary(BinaryOp::mul, binary(BinaryOp::mul, x, 0.5), binary(BinaryOp::add, erf, 1.0));
}

Value clip(const Value& x, double lo, double hi) {
  return binary(BinaryOp::min, binary(BinaryOp::max, x, lo), hi);
}

}  // namespace

Value apply_epilogues(Value sum, const std::vector<Epilogue>& epilogues,
                      const std::vector<Value>& reads) {
  auto read = reads.begin();
  for (const Epilogue& epilogue : epilogues) {
    switch (epilogue.kind) {
      case EpilogueKind::bias:
      case EpilogueKind::add:
        CHECK(read != reads.end(), "an epilogue has no tensor to read");
        sum = binary(BinaryOp::add, sum, *read++);
        break;
      case EpilogueKind::relu:
        sum = binary(BinaryOp::max, sum, 0.0);
        break;
      case EpilogueKind::relu6:
        sum = clip(sum, 0.0, 6.0);
        break;
      case EpilogueKind::clip:
        sum = clip(sum, epilogue.lo, epilogue.hi);
        break;
      case EpilogueKind::gelu:
        sum = gelu(sum);
        break;
      case EpilogueKind::silu:
        sum = binary(BinaryOp::mul, sum, sigmoid(sum));
        break;
      case EpilogueKind::sigmoid:
        sum = sigmoid(sum);
        break;
      case EpilogueKind::tanh:
        sum = unary(UnaryOp::tanh, sum);
        break;
    }
  }
  return sum;
}

}  // namespace dovetail
