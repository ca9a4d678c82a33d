// SPDX-License-Identifier: Apache-2.0
//
// MachineModule: LLVM IR for one target, on its way to assembly or an object.
//
//   std::unique_ptr<MachineModule> made = TRY(empty_module(target));
//   …                                      functions and globals are added to *made->module
//   TRY(attempt(made, [&] { passes.run(*made->module); }));
//   return machine_code(std::move(made), MachineCodeKind::object);
//
// Why LLVM runs inside attempt: it ends the process in two ways. Where a pattern is missing, or a
// CPU is not of its architecture, it calls a fatal error (recovery.h). What a program asks of a
// target that has it not, such as a vector register for sixteen lanes on AVX2, is a diagnostic,
// whose default handler prints it and exits; here a handler collects it. Both are errors of one
// line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace dovetail {

struct MachineModule {
  MachineModule();
  MachineModule(const MachineModule&) = delete;
  MachineModule& operator=(const MachineModule&) = delete;
  ~MachineModule();

  std::string error;  // the first that LLVM reported of this module, on one line
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::TargetMachine* machine = nullptr;  // the calling thread's
};

// Fails for a triple that LLVM has no code generator for, and for a CPU that is none of its.
Result<std::unique_ptr<MachineModule>> empty_module(const Target& target);

// Calls LLVM on the module. A module that it gave up on cannot be destroyed: it leaks, and `made`
// is null.
Result<void> attempt(std::unique_ptr<MachineModule>& made, const std::function<void()>& call);

// ELF objects for x86-64 and AArch64 say that they were made for CET (IBT and SHSTK) and BTI.
enum class MachineCodeKind : uint8_t { object, assembly };
// Large code is not moved while it grows to about `expected_bytes`.
Result<std::string> machine_code(std::unique_ptr<MachineModule> made, MachineCodeKind kind,
                                 size_t expected_bytes = 0);

}  // namespace dovetail
