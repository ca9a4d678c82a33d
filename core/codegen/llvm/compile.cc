// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/machine_code.h"
#include "core/codegen/llvm/object_symbols.h"
#include "core/codegen/llvm/optimize.h"

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

Result<std::unique_ptr<MachineModule>> emit_module(const Program& program, const Target& target,
                                                   bool keep_names,
                                                   const CpuCodeOptions& options = {}) {
  if (!runs_threads(target))
    return fail("cannot compile for a CPU: the target is an OpenCL device");
  TRY(codegen::check_for_cpu(program));
  std::unique_ptr<MachineModule> made = TRY(empty_module(target));
  made->context->setDiscardValueNames(!keep_names);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    codegen::KernelEmitter emitter(program, kernel, target, *made->module);
    const Result<void> emitted = emitter.emit(symbol_of(kernel, i, options.prefix), options.hidden);
    if (!emitted) return fail("kernel {}: {}", kernel.name, emitted.error().message);
  }
#if DOVETAIL_VERIFY
  std::string message;
  llvm::raw_string_ostream stream(message);
  CHECK(!llvm::verifyModule(*made->module, &stream), message);
#endif
  return made;
}

// rule: operations that the target lacks become calls of LLVM's runtime library (__extendhfsf2 for
// f16), which kernels must not need.
Result<void> check_complete(const std::string& bytes, const Target& target) {
  constexpr std::array kOfEachWindowsProgram = {"_fltused", "__chkstk", "___chkstk_ms"};
  constexpr std::array kHalfConversions = {"hfsf2", "sfhf2", "hfdf2", "dfhf2", "h2f", "f2h"};
  const std::vector<std::string> needed = TRY(undefined_symbols(bytes));
  for (const std::string& symbol : needed) {
    if (std::ranges::count(kOfEachWindowsProgram, symbol) > 0) continue;
    const bool is_half = std::ranges::any_of(kHalfConversions, [&](const char* conversion) {
      return symbol.find(conversion) != std::string::npos;
    });
    if (is_half)
      return fail("f16 needs conversions of the CPU (F16C), which {} has not", target.llvm_cpu);
    return fail("kernels need {}, which {} has no instructions for", symbol, target.llvm_cpu);
  }
  return {};
}

}  // namespace

Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              const CpuCodeOptions& options) {
  std::unique_ptr<MachineModule> made =
      TRY(emit_module(program, target, /*keep_names=*/false, options));
  TRY(attempt(made, [&] { optimize_kernels(*made); }));
  CpuObject object;
  object.bytes = TRY(machine_code(std::move(made), MachineCodeKind::object));
  TRY(check_complete(object.bytes, target));
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    object.kernels.push_back(symbol_of(program.kernels[i], i, options.prefix));
    object.parallel_extents.push_back(parallel_extent(program.kernels[i]));
  }
  return object;
}

Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized) {
  std::unique_ptr<MachineModule> made = TRY(emit_module(program, target, /*keep_names=*/true));
  if (optimized) TRY(attempt(made, [&] { optimize_kernels(*made); }));
  return print_ir(*made);
}

Result<std::string> emit_assembly(const Program& program, const Target& target) {
  std::unique_ptr<MachineModule> made = TRY(emit_module(program, target, /*keep_names=*/false));
  TRY(attempt(made, [&] { optimize_kernels(*made); }));
  return machine_code(std::move(made), MachineCodeKind::assembly);
}

}  // namespace dovetail
