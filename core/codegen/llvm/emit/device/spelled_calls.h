// SPDX-License-Identifier: Apache-2.0
//
// Calls of functions that no module defines, which stand for instructions of a device that LLVM has
// no name for: passes see what they read and write, a test can run them, and last of all `spell`
// puts inline assembly before each call, which is then erased.
//
//   spell_calls(module, "dovetail.copy", [](llvm::CallInst& call) { … });
#pragma once

#include <llvm/IR/Instructions.h>

#include <functional>

namespace dovetail::codegen {

inline constexpr unsigned kGlobalSpace = 1,
                          kSharedSpace = 3;  // address spaces of NVIDIA's back end

void spell_calls(llvm::Module& module, llvm::StringRef prefix,
                 const std::function<void(llvm::CallInst&)>& spell);

// All of them, in every module for a device.
void spell_device_instructions(llvm::Module& module);

}  // namespace dovetail::codegen
