// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/early_start.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

namespace dovetail::codegen {

void await_earlier_launches(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::FunctionType* type = llvm::FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false);
  llvm::InlineAsm* wait = llvm::InlineAsm::get(
      type, "griddepcontrol.launch_dependents; griddepcontrol.wait;", "~{memory}",
      /*hasSideEffects=*/true);
  for (llvm::Function& function : module) {
    if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel) continue;
    builder.SetInsertPoint(&function.getEntryBlock(), function.getEntryBlock().begin());
    builder.CreateCall(type, wait)->setConvergent();
  }
}

}  // namespace dovetail::codegen
