// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/vector_math.h"

#include <llvm/IR/Intrinsics.h>

#include <initializer_list>

namespace dovetail::cpu {
namespace {

using Builder = llvm::IRBuilder<>;

llvm::Constant* constant(llvm::Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}

// The highest coefficient first, by Horner's rule.
llvm::Value* polynomial(Builder& builder, llvm::Value* x,
                        std::initializer_list<double> coefficients) {
  llvm::Value* sum = nullptr;
  for (const double c : coefficients) {
    sum = sum == nullptr ? constant(x, c) : emit_multiply_add(builder, sum, x, constant(x, c));
  }
  return sum;
}

llvm::Value* magnitude(Builder& builder, llvm::Value* x) {
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

llvm::Value* with_sign_of(Builder& builder, llvm::Value* x, llvm::Value* sign) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, sign);
}

// 2^n for integers -127 < n < 128 in the lanes of n.
llvm::Value* power_of_two(Builder& builder, llvm::Value* n, llvm::Type* type) {
  llvm::Value* biased = builder.CreateAdd(n, llvm::ConstantInt::get(n->getType(), 127));
  return builder.CreateBitCast(builder.CreateShl(biased, 23), type);
}

}  // namespace

llvm::Value* emit_multiply_add(Builder& builder, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {a->getType()}, {a, b, c});
}

// exp(x) = 2^n · exp(r), x = n·ln 2 + r, |r| ≤ ln 2 / 2. Adding 1.5·2^23 rounds to an integer in
// the low bits of the sum. The scale is applied in two halves, so that neither overflows before the
// result does. Coefficients: Cephes, expf.
llvm::Value* emit_exp(Builder& builder, llvm::Value* x) {
  llvm::Type* type = x->getType();
  llvm::Type* integer = type->getWithNewType(builder.getInt32Ty());
  // Comparisons written so that NaN stays.
  x = builder.CreateSelect(builder.CreateFCmpOGT(x, constant(x, 89.0)), constant(x, 89.0), x);
  x = builder.CreateSelect(builder.CreateFCmpOLT(x, constant(x, -104.0)), constant(x, -104.0), x);
  constexpr double kRounder = 12582912.0;
  constexpr int32_t kRounderBits = 0x4B400000;
  llvm::Value* rounded =
      emit_multiply_add(builder, x, constant(x, 1.44269504088896341), constant(x, kRounder));
  llvm::Value* n = builder.CreateFSub(rounded, constant(x, kRounder));
  llvm::Value* r = emit_multiply_add(builder, n, constant(x, -0.693359375), x);
  r = emit_multiply_add(builder, n, constant(x, 2.12194440054690583e-4), r);
  llvm::Value* p = polynomial(builder, r,
                              {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                               1.6666665459e-1, 5.0000001201e-1});
  p = emit_multiply_add(builder, p, builder.CreateFMul(r, r), r);
  p = builder.CreateFAdd(p, constant(x, 1.0));
  llvm::Value* exponent = builder.CreateSub(builder.CreateBitCast(rounded, integer),
                                            llvm::ConstantInt::get(integer, kRounderBits));
  llvm::Value* half = builder.CreateAShr(exponent, 1);
  llvm::Value* scaled = builder.CreateFMul(p, power_of_two(builder, half, type));
  return builder.CreateFMul(scaled, power_of_two(builder, builder.CreateSub(exponent, half), type));
}

// 1 - 2 / (exp(2|x|) + 1) with the sign of x; near 0, where that cancels, an odd polynomial
// (Cephes, tanhf).
llvm::Value* emit_tanh(Builder& builder, llvm::Value* x) {
  llvm::Value* a = magnitude(builder, x);
  llvm::Value* e = emit_exp(builder, builder.CreateFAdd(a, a));
  llvm::Value* far = builder.CreateFDiv(constant(x, 2.0), builder.CreateFAdd(e, constant(x, 1.0)));
  far = builder.CreateFSub(constant(x, 1.0), far);
  llvm::Value* z = builder.CreateFMul(x, x);
  llvm::Value* near = polynomial(builder, z,
                                 {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                                  1.33314422036e-1, -3.33332819422e-1});
  near = emit_multiply_add(builder, builder.CreateFMul(near, z), x, x);
  llvm::Value* is_near = builder.CreateFCmpOLT(a, constant(x, 0.625));
  return with_sign_of(builder, builder.CreateSelect(is_near, near, far), x);
}

// Beyond 475/512, 1 - exp of a polynomial; an odd polynomial below (the minimax pair of N. Juffa).
llvm::Value* emit_erf(Builder& builder, llvm::Value* x) {
  llvm::Value* a = magnitude(builder, x);
  llvm::Value* s = builder.CreateFMul(x, x);
  llvm::Value* high =
      emit_multiply_add(builder, constant(x, -1.72853470e-5), a, constant(x, 3.83197126e-4));
  llvm::Value* low =
      emit_multiply_add(builder, constant(x, -3.88396438e-3), a, constant(x, 2.42546219e-2));
  llvm::Value* far = emit_multiply_add(builder, high, s, low);
  for (const double c : {-1.06777877e-1, -6.34846687e-1, -1.28717512e-1}) {
    far = emit_multiply_add(builder, far, a, constant(x, c));
  }
  far = emit_multiply_add(builder, far, a, builder.CreateFNeg(a));
  far = builder.CreateFSub(constant(x, 1.0), emit_exp(builder, far));
  llvm::Value* near = polynomial(builder, s,
                                 {-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                                  -3.76125336e-1, 1.28379166e-1});
  near = emit_multiply_add(builder, near, x, x);
  llvm::Value* is_far = builder.CreateFCmpOGT(a, constant(x, 0.927734375));
  return with_sign_of(builder, builder.CreateSelect(is_far, far, near), x);
}

}  // namespace dovetail::cpu
