// SPDX-License-Identifier: Apache-2.0
//
// cp.async in LLVM's IR: first as a call that names it, then as inline assembly.
//
//   call void @dovetail.copy.16(ptr addrspace(3) %to, ptr addrspace(1) %from)
//   call void @dovetail.copy_part.16(ptr addrspace(3) %to, ptr addrspace(1) %from, i32 %read)
//
//   cp.async.cg.shared.global [%r1 + 4096], [%rd1 + 64], 16;
//
// The second one reads so many bytes and fills up with zeros. Why not LLVM's own intrinsics:
// version 19 selects them only where addresses in a group's memory have as many bits as others.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace dovetail::codegen {

// Bytes that one copy may have.
bool is_copied_at_once(int64_t bytes);

llvm::FunctionCallee later_copy(llvm::Module& module, int64_t bytes, bool is_part);

// Puts the instruction in place of each call.
void spell_later_copies(llvm::Module& module);

}  // namespace dovetail::codegen
