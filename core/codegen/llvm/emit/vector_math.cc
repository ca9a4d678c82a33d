// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/vector_math.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <limits>

#include "core/codegen/llvm/emit/vector_steps.h"
#include "core/ir/value/element_type.h"

namespace dovetail::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

// 2^n for integers -127 < n < 128 in the lanes of n.
llvm::Value* power_of_two(Builder& builder, llvm::Value* n, llvm::Type* type) {
  llvm::Value* biased = builder.CreateAdd(n, llvm::ConstantInt::get(n->getType(), 127));
  return builder.CreateBitCast(builder.CreateShl(biased, 23), type);
}

constexpr unsigned kScaledLanes = 16;

// Whether the type is whole vectors of a target with an instruction for a·2^n.
bool has_scaling(Builder& builder, llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getNumElements() % kScaledLanes == 0 &&
         has_feature(builder, "+avx512f");
}

// a·2^n for integer values in the lanes of the float n.
llvm::Value* scaled_by_instruction(Builder& builder, llvm::Value* a, llvm::Value* n) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::Type* part = llvm::FixedVectorType::get(builder.getFloatTy(), kScaledLanes);
  llvm::Value* result = llvm::PoisonValue::get(a->getType());
  for (unsigned first = 0; first < lanes; first += kScaledLanes) {
    llvm::Value* at = builder.getInt64(first);
    llvm::Value* some = builder.CreateExtractVector(part, a, at);
    llvm::Value* powers = builder.CreateExtractVector(part, n, at);
    llvm::Value* scaled = builder.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
        {some, powers, some, builder.getInt16(0xFFFF), builder.getInt32(4)});
    result = builder.CreateInsertVector(a->getType(), result, scaled, at);
  }
  return result;
}

// sin(x), or sin(x + quarters·π/2), in doubles: x = n·π/2 + r, |r| ≤ π/4, and by n the series of
// the sine or the cosine, or their negatives. The first part of π/2 has 33 bits, so that its
// product with n below 2^20 is exact.
llvm::Value* emit_wave(Builder& builder, llvm::Value* narrow, uint64_t quarters) {
  llvm::Type* wide = narrow->getType()->getWithNewType(builder.getDoubleTy());
  llvm::Type* integer = wide->getWithNewType(builder.getInt64Ty());
  const auto bits = [&](uint64_t value) { return llvm::ConstantInt::get(integer, value); };
  llvm::Value* x = builder.CreateFPExt(narrow, wide);
  constexpr double kRounder = 6755399441055744.0;  // 1.5·2^52
  constexpr double kTwoOverPi = 0.63661977236758134;
  constexpr double kHalfPi = 1.57079632673412561417, kHalfPiRest = 6.07710050650619224932e-11;
  llvm::Value* rounded =
      emit_multiply_add(builder, x, constant(x, kTwoOverPi), constant(x, kRounder));
  llvm::Value* n = builder.CreateFSub(rounded, constant(x, kRounder));
  llvm::Value* r = emit_multiply_add(builder, n, constant(x, -kHalfPi), x);
  r = emit_multiply_add(builder, n, constant(x, -kHalfPiRest), r);
  llvm::Value* z = builder.CreateFMul(r, r);
  llvm::Value* sine = builder.CreateFMul(
      r, polynomial(builder, z,
                    {-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0}));
  llvm::Value* cosine = polynomial(
      builder, z,
      {1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1.0});
  llvm::Value* turn = builder.CreateAdd(builder.CreateBitCast(rounded, integer), bits(quarters));
  const auto has = [&](uint64_t bit) {
    return builder.CreateICmpNE(builder.CreateAnd(turn, bits(bit)), bits(0));
  };
  llvm::Value* wave = builder.CreateSelect(has(1), cosine, sine);
  wave = builder.CreateSelect(has(2), builder.CreateFNeg(wave), wave);
  return builder.CreateFPTrunc(wave, narrow->getType());
}

// a^y for a >= 0, in doubles with short polynomials: exact to a float's last bit.
llvm::Value* emit_wide_power(Builder& builder, llvm::Value* a, llvm::Value* y, llvm::Type* type) {
  llvm::Type* wide = a->getType();
  llvm::Type* integer = wide->getWithNewType(builder.getInt64Ty());
  const auto bits = [&](uint64_t value) { return llvm::ConstantInt::get(integer, value); };
  // log2(a) = k + log2(m), m in [√½, √2); by the series of atanh((m - 1) / (m + 1)).
  llvm::Value* pattern = builder.CreateBitCast(a, integer);
  llvm::Value* shifted = builder.CreateSub(pattern, bits(0x3FE6A09E667F3BCDULL));
  llvm::Value* exponent = builder.CreateAShr(shifted, 52);
  llvm::Value* m =
      builder.CreateBitCast(builder.CreateSub(pattern, builder.CreateShl(exponent, 52)), wide);
  llvm::Value* s = builder.CreateFDiv(builder.CreateFSub(m, constant(a, 1)),
                                      builder.CreateFAdd(m, constant(a, 1)));
  llvm::Value* z = builder.CreateFMul(s, s);
  llvm::Value* series =
      polynomial(builder, z, {1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0});
  constexpr double kTwoOverLn2 = 2.8853900817779268;
  llvm::Value* log2 = builder.CreateFMul(builder.CreateFMul(series, s), constant(a, kTwoOverLn2));
  log2 = builder.CreateFAdd(log2, builder.CreateSIToFP(exponent, wide));
  // 2^(y·log2(a)), clamped to where a float is 0 or infinite for certain; NaN stays.
  llvm::Value* t = builder.CreateFMul(y, log2);
  t = builder.CreateSelect(builder.CreateFCmpOGT(t, constant(a, 300)), constant(a, 300), t);
  t = builder.CreateSelect(builder.CreateFCmpOLT(t, constant(a, -300)), constant(a, -300), t);
  constexpr double kRounder = 6755399441055744.0;  // 1.5·2^52
  llvm::Value* rounded = builder.CreateFAdd(t, constant(a, kRounder));
  llvm::Value* r = builder.CreateFSub(t, builder.CreateFSub(rounded, constant(a, kRounder)));
  llvm::Value* p =
      polynomial(builder, r,
                 {1.0178086009239699e-7, 1.3215486790144309e-6, 1.5252733804059841e-5,
                  1.5403530393381609e-4, 1.3333558146428443e-3, 9.618129107628477e-3,
                  5.5504108664821579e-2, 2.4022650695910072e-1, 6.9314718055994531e-1, 1.0});
  llvm::Value* n =
      builder.CreateSub(builder.CreateBitCast(rounded, integer), bits(0x4338000000000000ULL));
  llvm::Value* scale =
      builder.CreateBitCast(builder.CreateShl(builder.CreateAdd(n, bits(1023)), 52), wide);
  llvm::Value* result = builder.CreateFPTrunc(builder.CreateFMul(p, scale), type);
  // 0^y and infinity^y are 0 or infinity; NaN stays NaN.
  const double infinity = std::numeric_limits<double>::infinity();
  llvm::Value* rises = builder.CreateFCmpOGT(y, constant(a, 0));
  llvm::Value* zero = builder.CreateSelect(rises, llvm::ConstantFP::get(type, 0.0),
                                           llvm::ConstantFP::get(type, infinity));
  llvm::Value* endless = builder.CreateSelect(rises, llvm::ConstantFP::get(type, infinity),
                                              llvm::ConstantFP::get(type, 0.0));
  result = builder.CreateSelect(builder.CreateFCmpOEQ(a, constant(a, 0)), zero, result);
  result = builder.CreateSelect(builder.CreateFCmpOEQ(a, constant(a, infinity)), endless, result);
  llvm::Value* no_number = builder.CreateFCmpUNO(a, y);
  return builder.CreateSelect(
      no_number, llvm::ConstantFP::get(type, std::numeric_limits<double>::quiet_NaN()), result);
}

// exp(x) = 2^n · exp(r), x = n·ln 2 + r, |r| ≤ ln 2 / 2. Adding 1.5·2^23 rounds to an integer in
// the low bits of the sum.
struct ReducedExp {
  llvm::Value* power = nullptr;     // exp(r)
  llvm::Value* n = nullptr;         // an integer as a float
  llvm::Value* exponent = nullptr;  // n as an integer; null where an instruction scales by n
};

// Coefficients: Cephes, expf; by Estrin's rule, which has shorter dependency chains.
ReducedExp reduced_exp(Builder& builder, llvm::Value* x) {
  constexpr double kRounder = 12582912.0;
  constexpr int32_t kRounderBits = 0x4B400000;
  llvm::Value* rounded = in_step(
      builder,
      emit_multiply_add(builder, x, constant(x, 1.44269504088896341), constant(x, kRounder)));
  llvm::Value* n = builder.CreateFSub(rounded, constant(x, kRounder));
  llvm::Value* r = emit_multiply_add(builder, n, constant(x, -0.693359375), x);
  r = in_step(builder, emit_multiply_add(builder, n, constant(x, 2.12194440054690583e-4), r));
  llvm::Value* square = builder.CreateFMul(r, r);
  llvm::Value* p = polynomial(builder, r, {1.9875691500e-4, 1.3981999507e-3});
  p = emit_multiply_add(builder, p, square,
                        polynomial(builder, r, {8.3334519073e-3, 4.1665795894e-2}));
  p = emit_multiply_add(builder, in_step(builder, p), square,
                        polynomial(builder, r, {1.6666665459e-1, 5.0000001201e-1}));
  p = emit_multiply_add(builder, in_step(builder, p), square, r);
  p = in_step(builder, builder.CreateFAdd(p, constant(x, 1.0)));
  if (has_scaling(builder, x->getType())) return {p, n};
  llvm::Type* integer = x->getType()->getWithNewType(builder.getInt32Ty());
  return {p, n,
          builder.CreateSub(builder.CreateBitCast(rounded, integer),
                            llvm::ConstantInt::get(integer, kRounderBits))};
}

}  // namespace

llvm::Value* exp_within(Builder& builder, llvm::Value* x) {
  const ReducedExp e = reduced_exp(builder, x);
  if (e.exponent == nullptr) return scaled_by_instruction(builder, e.power, e.n);
  return builder.CreateFMul(e.power, power_of_two(builder, e.exponent, x->getType()));
}

// The scale is applied in two halves, so that neither overflows before the result does, unless one
// instruction applies it. Comparisons are written so that NaN is preserved.
//
// Results below the least normal number are 0: a CPU takes some 150 cycles for each vector with a
// denormal one, and the masked scores of a softmax are all of that kind.
llvm::Value* emit_exp(Builder& builder, llvm::Value* given) {
  constexpr double kLeastNormal = -87.336544;  // exp of it is 2^-126
  llvm::Value* x = at_least(builder, at_most(builder, given, 89.0), kLeastNormal);
  const ReducedExp e = reduced_exp(builder, x);
  const auto unless_small = [&](llvm::Value* result) {
    return builder.CreateSelect(builder.CreateFCmpOLT(given, constant(given, kLeastNormal)),
                                constant(given, 0.0), result);
  };
  if (e.exponent == nullptr) return unless_small(scaled_by_instruction(builder, e.power, e.n));
  llvm::Type* type = x->getType();
  llvm::Value* half = builder.CreateAShr(e.exponent, 1);
  llvm::Value* scaled = builder.CreateFMul(e.power, power_of_two(builder, half, type));
  return unless_small(
      builder.CreateFMul(scaled, power_of_two(builder, builder.CreateSub(e.exponent, half), type)));
}

// 1 - 2 / (exp(2|x|) + 1) with the sign of x; near 0, where that cancels, an odd polynomial: the
// least squares fit to tanh below 0.9, above which exp's rounding is less than 2 ulp of tanh.
llvm::Value* emit_tanh(Builder& builder, llvm::Value* x) {
  llvm::Value* a = magnitude(builder, x);
  llvm::Value* e = exp_within(builder, at_most(builder, builder.CreateFAdd(a, a), 88.0));
  llvm::Value* far = builder.CreateFDiv(constant(x, 2.0), builder.CreateFAdd(e, constant(x, 1.0)));
  far = builder.CreateFSub(constant(x, 1.0), far);
  llvm::Value* z = builder.CreateFMul(x, x);
  llvm::Value* near = polynomial(builder, z,
                                 {-4.28907607e-4, 2.50632046e-3, -8.17802734e-3, 2.16147569e-2,
                                  -5.39151453604e-2, 1.33327837770e-1, -3.33333128623e-1});
  near = emit_multiply_add(builder, builder.CreateFMul(near, z), x, x);
  llvm::Value* is_near = builder.CreateFCmpOLT(a, constant(x, 0.9));
  return with_sign_of(builder, builder.CreateSelect(is_near, near, far), x);
}

// log(x) = k·ln 2 + log(m), m in [√½, √2): exponent and fraction bits are separated, then a
// polynomial in m - 1 (Cephes, logf). Subnormals are scaled up first; log(0) is -inf, log of a
// negative number NaN.
llvm::Value* emit_log(Builder& builder, llvm::Value* x) {
  llvm::Type* type = x->getType();
  llvm::Type* integer = type->getWithNewType(builder.getInt32Ty());
  const auto bits = [&](uint32_t value) { return llvm::ConstantInt::get(integer, value); };
  llvm::Value* is_tiny = builder.CreateFCmpOLT(x, constant(x, 1.17549435e-38));
  llvm::Value* scaled =
      builder.CreateSelect(is_tiny, builder.CreateFMul(x, constant(x, 33554432.0)), x);
  llvm::Value* pattern = builder.CreateBitCast(scaled, integer);
  // Subtract the bits of √½: the exponent field then counts from √½ on.
  llvm::Value* shifted = builder.CreateSub(pattern, bits(0x3F3504F3));
  llvm::Value* exponent = builder.CreateAShr(shifted, 23);
  llvm::Value* fraction =
      builder.CreateBitCast(builder.CreateSub(pattern, builder.CreateShl(exponent, 23)), type);
  llvm::Value* k = builder.CreateSIToFP(exponent, type);
  k = builder.CreateSelect(is_tiny, builder.CreateFSub(k, constant(x, 25.0)), k);
  llvm::Value* f = builder.CreateFSub(fraction, constant(x, 1.0));
  llvm::Value* z = builder.CreateFMul(f, f);
  llvm::Value* p = polynomial(
      builder, f,
      {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
       -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  p = builder.CreateFMul(builder.CreateFMul(p, f), z);
  p = emit_multiply_add(builder, k, constant(x, -2.12194440e-4), p);
  p = emit_multiply_add(builder, z, constant(x, -0.5), p);
  p = builder.CreateFAdd(p, f);
  p = emit_multiply_add(builder, k, constant(x, 0.693359375), p);
  const double infinity = std::numeric_limits<double>::infinity();
  // Infinity and NaN are unchanged.
  llvm::Value* is_finite = builder.CreateFCmpOLT(x, constant(x, infinity));
  p = builder.CreateSelect(is_finite, p, x);
  p = builder.CreateSelect(builder.CreateFCmpOEQ(x, constant(x, 0)), constant(x, -infinity), p);
  return builder.CreateSelect(builder.CreateFCmpOLT(x, constant(x, 0)),
                              constant(x, std::numeric_limits<double>::quiet_NaN()), p);
}

// 2^(y·log2|x|), in doubles: the rounding error of a float logarithm would be multiplied by y. The
// sign is that of x where y is odd; a negative x with a fractional y gives NaN.
llvm::Value* emit_pow(Builder& builder, llvm::Value* x, llvm::Value* y) {
  llvm::Type* wide = x->getType()->getWithNewType(builder.getDoubleTy());
  llvm::Value* a = magnitude(builder, x);
  llvm::Value* power = emit_wide_power(builder, builder.CreateFPExt(a, wide),
                                       builder.CreateFPExt(y, wide), x->getType());
  llvm::Value* whole = builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, y);
  llvm::Value* is_whole = builder.CreateFCmpOEQ(whole, y);
  llvm::Value* half = builder.CreateFMul(y, constant(y, 0.5));
  llvm::Value* is_even =
      builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, half), half);
  llvm::Value* is_negative = builder.CreateFCmpOLT(x, constant(x, 0));
  llvm::Value* is_odd = builder.CreateAnd(is_whole, builder.CreateNot(is_even));
  llvm::Value* flipped = builder.CreateSelect(builder.CreateAnd(is_negative, is_odd),
                                              builder.CreateFNeg(power), power);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  llvm::Value* broken = builder.CreateAnd(is_negative, builder.CreateNot(is_whole));
  flipped = builder.CreateSelect(broken, constant(x, nan), flipped);
  return builder.CreateSelect(builder.CreateFCmpOEQ(y, constant(y, 0)), constant(x, 1.0), flipped);
}

llvm::Value* emit_sin(Builder& builder, llvm::Value* x) { return emit_wave(builder, x, 0); }
llvm::Value* emit_cos(Builder& builder, llvm::Value* x) { return emit_wave(builder, x, 1); }

// In doubles: t is |x|, or 1 / |x| where |x| is above 1; atan(t) is twice the arctangent of h = t /
// (1 + √(1 + t²)), below 0.415, where the series is short.
llvm::Value* emit_atan(Builder& builder, llvm::Value* x) {
  llvm::Type* wide = x->getType()->getWithNewType(builder.getDoubleTy());
  llvm::Value* a = builder.CreateFPExt(magnitude(builder, x), wide);
  llvm::Value* one = constant(a, 1.0);
  llvm::Value* is_steep = builder.CreateFCmpOGT(a, one);
  llvm::Value* t = builder.CreateSelect(is_steep, builder.CreateFDiv(one, a), a);
  llvm::Value* root =
      builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, emit_multiply_add(builder, t, t, one));
  llvm::Value* h = builder.CreateFDiv(t, builder.CreateFAdd(one, root));
  llvm::Value* series = polynomial(builder, builder.CreateFMul(h, h),
                                   {-1.0 / 23, 1.0 / 21, -1.0 / 19, 1.0 / 17, -1.0 / 15, 1.0 / 13,
                                    -1.0 / 11, 1.0 / 9, -1.0 / 7, 1.0 / 5, -1.0 / 3, 1.0});
  llvm::Value* angle = builder.CreateFMul(builder.CreateFAdd(h, h), series);
  constexpr double kQuarterTurn = 1.5707963267948966;
  angle =
      builder.CreateSelect(is_steep, builder.CreateFSub(constant(a, kQuarterTurn), angle), angle);
  return with_sign_of(builder, builder.CreateFPTrunc(angle, x->getType()), x);
}

llvm::Value* emit_from_bfloat(Builder& builder, llvm::Value* bits) {
  llvm::Type* word = bits->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Value* high = builder.CreateShl(builder.CreateZExt(bits, word), 16);
  return builder.CreateBitCast(high, bits->getType()->getWithNewType(builder.getFloatTy()));
}

llvm::Value* emit_tf32(Builder& builder, llvm::Value* x) {
  llvm::Type* word = x->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Value* kept =
      builder.CreateAnd(builder.CreateBitCast(x, word), llvm::ConstantInt::get(word, kTf32Bits));
  return builder.CreateBitCast(kept, x->getType());
}

// The remainder is exact, and so is the sum.
llvm::Value* emit_tf32x2(Builder& builder, llvm::Value* x) {
  llvm::Value* first = emit_tf32(builder, x);
  return builder.CreateFAdd(first, emit_tf32(builder, builder.CreateFSub(x, first)));
}

llvm::Value* emit_to_bfloat(Builder& builder, llvm::Value* x) {
  llvm::Type* word = x->getType()->getWithNewType(builder.getInt32Ty());
  const auto constant = [&](uint64_t bits) { return llvm::ConstantInt::get(word, bits); };
  llvm::Value* bits = builder.CreateBitCast(x, word);
  llvm::Value* kept = builder.CreateLShr(bits, 16);
  llvm::Value* odd = builder.CreateAnd(kept, constant(1));
  llvm::Value* nearest =
      builder.CreateLShr(builder.CreateAdd(builder.CreateAdd(bits, constant(0x7fff)), odd), 16);
  llvm::Value* quiet = builder.CreateOr(kept, constant(0x40));
  llvm::Value* chosen = builder.CreateSelect(builder.CreateFCmpUNO(x, x), quiet, nearest);
  return builder.CreateTrunc(chosen, x->getType()->getWithNewType(builder.getInt16Ty()));
}

}  // namespace dovetail::codegen
