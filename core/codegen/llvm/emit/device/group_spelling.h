// SPDX-License-Identifier: Apache-2.0
//
// wgmma in LLVM's IR: first as a call that names it, then as inline assembly.
//
//   %y = call { float, … } @dovetail.wgmma.f16.128(ptr addrspace(3) %a, i32 128, i32 256,
//                                                  ptr addrspace(3) %b, i32 128, i32 256, float …)
//
//   wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {…}, %rd1, %rd2, 1, 1, 1, 0, 0;
//
// The arguments are each operand's address with its bytes from block to block along k and along
// rows, and the sums, in the instruction's order.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/codegen/llvm/emit/device/spelled_calls.h"

namespace dovetail::codegen {

inline constexpr int64_t kMostBlockStepBytes = 1 << 18;  // 14 bits of 16 bytes

llvm::FunctionCallee group_product(llvm::Module& module, std::string_view type, int columns,
                                   unsigned address_space);

// Waits for all products that were issued; returns the values, which are the sums only then.
std::vector<llvm::Value*> pass_through_wait(llvm::IRBuilder<>& builder,
                                            const std::vector<llvm::Value*>& values);

// Puts the instruction in place of each call.
void spell_group_products(llvm::Module& module);

}  // namespace dovetail::codegen
