// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/early_start.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace dovetail::codegen {
namespace {

void await_in(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::BasicBlock* body = &function.getEntryBlock();
  llvm::BasicBlock* wait = llvm::BasicBlock::Create(context, "wait", &function, body);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(*body))
    if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(*wait, wait->end());
  llvm::BasicBlock* without = llvm::BasicBlock::Create(context, "without_buffer", &function);
  llvm::IRBuilder<> builder(wait);
  llvm::FunctionType* type = llvm::FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false);
  llvm::InlineAsm* text = llvm::InlineAsm::get(
      type, "griddepcontrol.launch_dependents; griddepcontrol.wait;", "~{memory}",
      /*hasSideEffects=*/true);
  builder.CreateCall(type, text)->setConvergent();
  builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), without, body);
  builder.SetInsertPoint(without);
  builder.CreateRetVoid();
}

}  // namespace

void await_earlier_launches(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && function.arg_size() > 0)
      await_in(function);
}

}  // namespace dovetail::codegen
