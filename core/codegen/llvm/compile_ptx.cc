// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile_ptx.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/group_spelling.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/machine_code.h"
#include "core/codegen/llvm/optimize.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/layout/layout.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

struct DeviceModule {
  std::unique_ptr<MachineModule> made;
  std::vector<std::vector<Launch>> launches;
};

// Letters, digits and underscores; a number follows where a name is taken.
std::string free_symbol(std::string name, std::set<std::string>& taken) {
  std::ranges::replace_if(
      name, [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'); },
      '_');
  std::string symbol = name;
  for (int k = 1; !taken.insert(symbol).second; ++k) symbol = fmt::format("{}_{}", name, k);
  return symbol;
}

// 64 where a buffer has elements beyond 32 bits.
unsigned index_bits(const Program& program, const std::vector<int>& buffers) {
  const bool is_wide = std::ranges::any_of(buffers, [&](int buffer) {
    return storage_elements(program.buffers[static_cast<size_t>(buffer)].layout) > INT32_MAX;
  });
  return is_wide ? 64 : 32;
}

Result<Launch> emit_kernel(const Program& program, const Kernel& kernel, const Target& target,
                           std::string symbol, llvm::Module& module) {
  const Geometry geometry = TRY(geometry_of(kernel, target));
  const std::vector<int> buffers = buffers_of(program, kernel);
  const codegen::KernelEmitter::DeviceForm form{
      .geometry = geometry, .buffers = buffers, .index_bits = index_bits(program, buffers)};
  codegen::KernelEmitter emitter(program, kernel, target, module, form);
  const Result<void> emitted = emitter.emit(symbol, /*hidden=*/false);
  if (!emitted) return fail("kernel {}: {}", kernel.name, emitted.error().message);
  return launch_of(std::move(symbol), geometry, buffers);
}

Result<DeviceModule> emit_module(std::span<const Program> programs, const Target& target,
                                 std::string_view prefix, bool keep_names) {
  if (!runs_work_groups(target) || target.llvm_triple != kPtxTriple)
    return fail("target {} takes no PTX", print(target.name));
  DeviceModule device{.made = TRY(empty_module(target)), .launches = {}};
  device.made->context->setDiscardValueNames(!keep_names);
  std::set<std::string> taken;
  for (size_t p = 0; p < programs.size(); ++p) {
    TRY(codegen::check_for_work_groups(programs[p], target));
    std::vector<Launch>& launches = device.launches.emplace_back();
    for (const Kernel& kernel : programs[p].kernels) {
      std::string symbol = free_symbol(fmt::format("{}{}_{}", prefix, p, kernel.name), taken);
      launches.push_back(
          TRY(emit_kernel(programs[p], kernel, target, std::move(symbol), *device.made->module)));
    }
  }
#if DOVETAIL_VERIFY
  std::string message;
  llvm::raw_string_ostream stream(message);
  CHECK(!llvm::verifyModule(*device.made->module, &stream), message);
#endif
  return device;
}

}  // namespace

Result<PtxCode> compile_ptx(std::span<const Program> programs, const Target& target,
                            std::string_view prefix) {
  DeviceModule device = TRY(emit_module(programs, target, prefix, /*keep_names=*/false));
  TRY(attempt(device.made, [&] {
    optimize_kernels(*device.made);
    codegen::spell_group_products(*device.made->module);
  }));
  return PtxCode{.text = TRY(machine_code(std::move(device.made), MachineCodeKind::assembly)),
                 .launches = std::move(device.launches)};
}

Result<std::string> emit_ptx_ir(std::span<const Program> programs, const Target& target,
                                std::string_view prefix, bool optimized) {
  DeviceModule device = TRY(emit_module(programs, target, prefix, /*keep_names=*/true));
  if (optimized) TRY(attempt(device.made, [&] { optimize_kernels(*device.made); }));
  return print_ir(*device.made);
}

}  // namespace dovetail
