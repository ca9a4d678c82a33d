// SPDX-License-Identifier: Apache-2.0
//
// exp, tanh, erf, log and pow as instructions, for a float or a vector of floats: a kernel calls
// nothing.
//
// Errors, over the whole range, against the function in double
// (tests/core/codegen/llvm/vector_math_test.cc): exp 2 ulp, tanh 4 ulp, erf 2 ulp, log 2 ulp
// with fused multiply-add; pow 1 ulp, by way of doubles. NaN gives NaN, exp overflows to infinity
// and underflows through the subnormals to 0.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dovetail::cpu {

llvm::Value* emit_exp(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_tanh(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_erf(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_log(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* emit_pow(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y);

// a·b + c, fused where the target can.
llvm::Value* emit_multiply_add(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c);

}  // namespace dovetail::cpu
