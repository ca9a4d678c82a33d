// SPDX-License-Identifier: Apache-2.0
//
// Steps that functions of floats and of vectors of floats are made of (vector_math.h).
//
//   llvm::Value* a = magnitude(builder, x);
//   llvm::Value* p = polynomial(builder, a, {0.5, 1.0, 1.0});   (a/2 + 1)·a + 1
//
// All take a float or a vector of them, of any length, and give the same.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>
#include <initializer_list>

namespace dovetail::cpu {

llvm::Constant* constant(llvm::Value* like, double value);

// The function that is built may use instructions of this name ("+avx2").
bool has_feature(llvm::IRBuilder<>& builder, const char* feature);

// Several vectors in one value are computed in turn. LLVM takes such a value apart, and its
// schedulers, to save registers, put the chain of one vector behind that of the other; where both
// go through one empty instruction, neither can run ahead.
llvm::Value* in_step(llvm::IRBuilder<>& builder, llvm::Value* value);

// The highest coefficient first, by Horner's rule.
llvm::Value* polynomial(llvm::IRBuilder<>& builder, llvm::Value* x,
                        std::initializer_list<double> coefficients);

llvm::Value* magnitude(llvm::IRBuilder<>& builder, llvm::Value* x);
llvm::Value* with_sign_of(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* sign);
// NaN stays.
llvm::Value* at_most(llvm::IRBuilder<>& builder, llvm::Value* x, double limit);
llvm::Value* at_least(llvm::IRBuilder<>& builder, llvm::Value* x, double limit);

// exp where neither it nor 2^n is beyond the normal numbers: -87 <= x <= 88 (vector_math.cc).
llvm::Value* exp_within(llvm::IRBuilder<>& builder, llvm::Value* x);

// Each lane gets its own of eight numbers: table[i & 7] for the integer i in that lane of `index`.
constexpr unsigned kTableSize = 8;
using LookupTable = std::array<float, kTableSize>;
// The machine has an instruction for it, of vectors of this type.
bool can_look_up(llvm::IRBuilder<>& builder, llvm::Type* type);
llvm::Value* looked_up(llvm::IRBuilder<>& builder, const LookupTable& table, llvm::Value* index);

}  // namespace dovetail::cpu
