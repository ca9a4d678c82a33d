// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of the functions of vector_math.h.
//
//   llvm::Value* a = magnitude(builder, x);
//   llvm::Value* p = polynomial(builder, a, {0.5, 1.0, 1.0});   (a/2 + 1)·a + 1
//
// All take a float or a vector of floats, of any length, and return the same type.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>
#include <initializer_list>

namespace dovetail::codegen {

llvm::Constant* constant(llvm::Value* like, double value);

// Whether the function being built may use instructions of this feature ("+avx2").
bool has_feature(llvm::IRBuilder<>& builder, const char* feature);

// Interleaves the two vectors of a double-width value. LLVM splits such a value, and its
// schedulers, to save registers, put one vector's dependency chain behind the other's; where both
// pass through one empty instruction, neither can run ahead.
llvm::Value* in_step(llvm::IRBuilder<>& builder, llvm::Value* value);

// Horner's rule, the highest coefficient first.
llvm::Value* polynomial(llvm::IRBuilder<>& builder, llvm::Value* x,
                        std::initializer_list<double> coefficients);

llvm::Value* magnitude(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* with_sign_of(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* sign);
// Clamps; NaN is preserved.
llvm::Value* at_most(llvm::IRBuilder<>& builder, llvm::Value* x, double limit);
llvm::Value* at_least(llvm::IRBuilder<>& builder, llvm::Value* x, double limit);

// exp where neither it nor 2^n leaves the normal numbers: -87 <= x <= 88 (vector_math.cc).
llvm::Value* exp_within(llvm::IRBuilder<>& builder, llvm::Value* x);

// Table lookup per lane: table[i & 7] for the integer i in that lane of `index`.
constexpr unsigned kTableSize = 8;
using LookupTable = std::array<float, kTableSize>;
// Whether the target has a lookup instruction for vectors of this type.
bool can_look_up(llvm::IRBuilder<>& builder, llvm::Type* type);
llvm::Value* looked_up(llvm::IRBuilder<>& builder, const LookupTable& table, llvm::Value* index);

}  // namespace dovetail::codegen
