// SPDX-License-Identifier: Apache-2.0
//
// exp, tanh, erf, log, pow, sin, cos and atan as inline instructions, for a float or a vector of
// floats, because kernels call nothing.
//
// Errors, over the whole range, against the function in double
// (tests/core/codegen/llvm/vector_math_test.cc), with fused multiply-add: exp 2 ulp, tanh 2 ulp,
// erf 2 ulp, log 2 ulp, pow 1 ulp, atan 1 ulp; sin and cos 1 ulp up to 2^20, unspecified beyond.
// (sqrt is the machine's, correctly rounded; rsqrt, 1 / sqrt, is within 2 ulp.) NaN maps to NaN,
// exp overflows to infinity and is 0 where it would be less than the least normal number, log(0) is
// -infinity, powers of 0 and infinity are 0 or infinity, and pow(x, 0) is 1.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dovetail::codegen {

// The function attribute with the number of floats in a vector of the target.
inline constexpr const char* kLanesAttribute = "dovetail-vector-lanes";

// The inline assembly constraint for a vector register.
const char* vector_register_constraint(const llvm::Module& module, unsigned lanes);

llvm::Value* emit_exp(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_tanh(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_erf(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_log(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_sin(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_cos(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_atan(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_pow(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y);

// a·b + c, fused where the target can.
llvm::Value* emit_multiply_add(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c);

// bfloat16 as 16-bit integers, to and from floats. Rounds to nearest, ties to even, in integer
// instructions: LLVM's own truncation calls a function where the target has no instruction for it.
llvm::Value* emit_from_bfloat(llvm::IRBuilder<>& builder, llvm::Value* bits);
llvm::Value* emit_to_bfloat(llvm::IRBuilder<>& builder, llvm::Value* x);
// Floats without the digits that tf32 has not.
llvm::Value* emit_tf32(llvm::IRBuilder<>& builder, llvm::Value* x);
// The sum of two such numbers.
llvm::Value* emit_tf32x2(llvm::IRBuilder<>& builder, llvm::Value* x);

}  // namespace dovetail::codegen
