// SPDX-License-Identifier: Apache-2.0
//
// MachineModule: an LLVM module for one target, to be compiled to assembly or an object.
//
//   std::unique_ptr<MachineModule> made = TRY(empty_module(target));
//   …                                      functions and globals are added to *made->module
//   TRY(attempt(made, [&] { passes.run(*made->module); }));
//   return machine_code(std::move(made), MachineCodeKind::object);
//
// Why LLVM runs inside attempt: it can end the process in two ways. For a missing instruction
// pattern, or a CPU of another architecture, it calls a fatal error (recovery.h). For code that the
// target does not support, such as a vector register of sixteen lanes on AVX2, it reports a
// diagnostic, whose default handler prints it and exits; here a handler collects it. Both become
// one-line errors.
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

  std::string error;  // the first error that LLVM reported for this module, on one line
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::TargetMachine* machine = nullptr;  // owned by the calling thread's cache
};

// Fails for a triple without a code generator in LLVM, and for a CPU of another architecture.
Result<std::unique_ptr<MachineModule>> empty_module(const Target& target);

// Calls LLVM on the module. After a fatal error the module cannot be destroyed: it leaks, and
// `made` is null.
Result<void> attempt(std::unique_ptr<MachineModule>& made, const std::function<void()>& call);

// ELF objects for x86-64 and AArch64 are marked as compatible with CET (IBT and SHSTK) and BTI.
enum class MachineCodeKind : uint8_t { object, assembly };
// `expected_bytes` is reserved up front, so that large code is not copied while it grows.
Result<std::string> machine_code(std::unique_ptr<MachineModule> made, MachineCodeKind kind,
                                 size_t expected_bytes = 0);

}  // namespace dovetail
