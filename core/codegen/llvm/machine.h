// SPDX-License-Identifier: Apache-2.0
//
// From an LLVM module to bytes: the target machine, the passes before instruction selection, and
// the code generator.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace dovetail::cpu {

enum class MachineOutput { object, assembly };

// One per thread and (triple, cpu, features), made once: it costs as much as a small kernel.
Result<llvm::TargetMachine*> machine_for(const Target& target);
void prepare_module(llvm::Module& module, llvm::TargetMachine& machine);  // triple and data layout
void optimize(llvm::Module& module, llvm::TargetMachine& machine);
Result<std::string> generate_code(llvm::Module& module, llvm::TargetMachine& machine,
                                  MachineOutput output);

}  // namespace dovetail::cpu
