// SPDX-License-Identifier: Apache-2.0
//
// Bulk copies in LLVM's IR, and the words of a group's memory that count their bytes (mbarrier):
// first as calls that name them, then as inline assembly. `%one` is true for one work-item of the
// group.
//
//   call void @dovetail.bulk.begin(i1 %one, ptr addrspace(3) %words, i32 4)
//   call void @dovetail.bulk.copy(i1 %one, ptr addrspace(3) %to, ptr addrspace(1) %from, i32 4096,
//                                 ptr addrspace(3) %word)
//   call void @dovetail.bulk.close(i1 %one, ptr addrspace(3) %word)
//   call void @dovetail.bulk.wait(ptr addrspace(3) %word, i32 %parity)
//
// begin   sets so many words for the first batch
// copy    starts a copy, whose bytes the word's batch then waits for
// close   no more copies are added to the word's batch
// wait    until the batch of this parity has arrived; a word's batches are 0, 1, 0, … in turn
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace dovetail::codegen {

void begin_batches(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* words, int64_t count);
void copy_in_bulk(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* to, llvm::Value* from,
                  int64_t bytes, llvm::Value* word);
void close_batch(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* word);
void wait_for_batch(llvm::IRBuilder<>& builder, llvm::Value* word, llvm::Value* parity);

// Puts the instructions in place of each call.
void spell_bulk_copies(llvm::Module& module);

}  // namespace dovetail::codegen
