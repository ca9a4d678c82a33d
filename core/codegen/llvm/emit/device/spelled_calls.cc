// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/spelled_calls.h"

#include <llvm/IR/Module.h>

#include "core/codegen/llvm/emit/device/bulk_spelling.h"
#include "core/codegen/llvm/emit/device/copy_spelling.h"
#include "core/codegen/llvm/emit/device/group_spelling.h"

namespace dovetail::codegen {

void spell_calls(llvm::Module& module, llvm::StringRef prefix,
                 const std::function<void(llvm::CallInst&)>& spell) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (function.getName().starts_with(prefix)) functions.push_back(&function);
  for (llvm::Function* function : functions) {
    while (!function->use_empty()) {
      auto* call = llvm::cast<llvm::CallInst>(function->user_back());
      spell(*call);
      call->eraseFromParent();
    }
    function->eraseFromParent();
  }
}

void spell_device_instructions(llvm::Module& module) {
  spell_group_products(module);
  spell_later_copies(module);
  spell_bulk_copies(module);
}

}  // namespace dovetail::codegen
