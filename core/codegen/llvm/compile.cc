// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "core/base/check.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/machine.h"

namespace dovetail {
namespace {

std::string symbol_of(const Kernel& kernel, size_t number, std::string_view prefix) {
  std::string symbol = fmt::format("{}{}_{}", prefix, number, kernel.name);
  for (char& c : symbol) {
    const bool is_word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_word) c = '_';
  }
  return symbol;
}

// The module that all kernels of a program go to.
struct ProgramModule {
  llvm::LLVMContext context;
  llvm::Module module{"dovetail", context};
  llvm::TargetMachine* machine = nullptr;
};

Result<std::unique_ptr<ProgramModule>> emit_module(const Program& program, const Target& target,
                                                   bool keep_names,
                                                   std::string_view prefix = kSymbolPrefix) {
  if (target.name.kind != TargetKind::cpu)
    return fail("cannot compile for a CPU: the target is an OpenCL device");
  TRY(cpu::check_for_cpu(program));
  auto made = std::make_unique<ProgramModule>();
  made->context.setDiscardValueNames(!keep_names);
  made->machine = TRY(cpu::machine_for(target));
  cpu::prepare_module(made->module, *made->machine);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    cpu::KernelEmitter emitter(program, kernel, target, made->module);
    const Result<void> emitted = emitter.emit(symbol_of(kernel, i, prefix));
    if (!emitted) return fail(fmt::format("kernel {}: {}", kernel.name, emitted.error().message));
  }
#if DOVETAIL_VERIFY
  std::string message;
  llvm::raw_string_ostream stream(message);
  CHECK(!llvm::verifyModule(made->module, &stream), message);
#endif
  return made;
}

}  // namespace

Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              std::string_view prefix) {
  const std::unique_ptr<ProgramModule> made =
      TRY(emit_module(program, target, /*keep_names=*/false, prefix));
  cpu::optimize(made->module, *made->machine);
  CpuObject object;
  object.bytes = TRY(cpu::generate_code(made->module, *made->machine, cpu::MachineOutput::object));
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    object.kernels.push_back(symbol_of(program.kernels[i], i, prefix));
    object.parallel_extents.push_back(parallel_extent(program.kernels[i]));
  }
  return object;
}

Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized) {
  const std::unique_ptr<ProgramModule> made =
      TRY(emit_module(program, target, /*keep_names=*/true));
  if (optimized) cpu::optimize(made->module, *made->machine);
  std::string text;
  llvm::raw_string_ostream stream(text);
  made->module.print(stream, nullptr);
  return text;
}

Result<std::string> emit_assembly(const Program& program, const Target& target) {
  const std::unique_ptr<ProgramModule> made =
      TRY(emit_module(program, target, /*keep_names=*/false));
  cpu::optimize(made->module, *made->machine);
  return cpu::generate_code(made->module, *made->machine, cpu::MachineOutput::assembly);
}

}  // namespace dovetail
