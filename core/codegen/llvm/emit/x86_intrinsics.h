// SPDX-License-Identifier: Apache-2.0
//
// How intrinsics are spelled in LLVM's IR, by name. An emitter without a spelling for the target
// runs the loops instead.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <span>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/target.h"

namespace dovetail::codegen {

// The output's elements afterwards. `output` and `reads` are vectors of all elements of the
// operands, in their stored types; bf16 as 16-bit integers.
using Spelling = llvm::Value* (*)(llvm::IRBuilder<>& builder, llvm::Value* output,
                                  std::span<llvm::Value* const> reads);

// Null where the target has no such instruction, or none that is known here.
Spelling spelling_of(const Intrinsic& intrinsic, const Target& target);

}  // namespace dovetail::codegen
