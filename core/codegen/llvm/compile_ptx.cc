// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile_ptx.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/device/early_start.h"
#include "core/codegen/llvm/emit/device/launched_local.h"
#include "core/codegen/llvm/emit/device/spelled_calls.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/machine_code.h"
#include "core/codegen/llvm/optimize.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/layout/layout.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

// A kernel, and its name in the code.
struct NamedKernel {
  const Program* program = nullptr;
  const Kernel* kernel = nullptr;
  std::string symbol;
};

struct DeviceModule {
  std::unique_ptr<MachineModule> made;
  std::vector<Launch> launches;  // one for each kernel
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

Result<Launch> emit_kernel(const NamedKernel& named, const Target& target, llvm::Module& module) {
  const Geometry geometry = TRY(geometry_of(*named.kernel, target));
  Launch launch = launch_of(named.symbol, *named.program, *named.kernel, geometry);
  launch.waits_itself = starts_early(target);
  const codegen::KernelEmitter::DeviceForm form{
      .geometry = geometry,
      .buffers = launch.buffers,
      .index_bits = index_bits(*named.program, launch.buffers)};
  codegen::KernelEmitter emitter(*named.program, *named.kernel, target, module, form);
  const Result<void> emitted = emitter.emit(named.symbol, /*hidden=*/false);
  if (!emitted) return fail("kernel {}: {}", named.kernel->name, emitted.error().message);
  return launch;
}

// In the order of their launches.
Result<std::vector<NamedKernel>> named_kernels(std::span<const Program> programs,
                                               const Target& target, std::string_view prefix) {
  if (!runs_work_groups(target) || target.llvm_triple != kPtxTriple)
    return fail("target {} takes no PTX", print(target.name));
  std::vector<NamedKernel> kernels;
  std::set<std::string> taken;
  for (size_t p = 0; p < programs.size(); ++p) {
    TRY(codegen::check_for_work_groups(programs[p], target));
    for (const Kernel& kernel : programs[p].kernels)
      kernels.push_back(
          {.program = &programs[p],
           .kernel = &kernel,
           .symbol = free_symbol(fmt::format("{}{}_{}", prefix, p, kernel.name), taken)});
  }
  return kernels;
}

Result<DeviceModule> emit_module(std::span<const NamedKernel> kernels, const Target& target,
                                 bool keep_names) {
  DeviceModule device{.made = TRY(empty_module(target)), .launches = {}};
  device.made->context->setDiscardValueNames(!keep_names);
  for (const NamedKernel& kernel : kernels)
    device.launches.push_back(TRY(emit_kernel(kernel, target, *device.made->module)));
#if DOVETAIL_VERIFY
  std::string message;
  llvm::raw_string_ostream stream(message);
  CHECK(!llvm::verifyModule(*device.made->module, &stream), message);
#endif
  return device;
}

// A module's text; its launches are appended.
Result<std::string> ptx_of(std::span<const NamedKernel> kernels, const Target& target,
                           std::vector<Launch>& launches) {
  DeviceModule device = TRY(emit_module(kernels, target, /*keep_names=*/false));
  std::map<std::string, int64_t> local_bytes;
  TRY(attempt(device.made, [&] {
    optimize_kernels(*device.made);
    local_bytes = codegen::give_local_memory_at_launch(*device.made->module);
    codegen::spell_device_instructions(*device.made->module);
    if (starts_early(target)) codegen::await_earlier_launches(*device.made->module);
  }));
  for (Launch& launch : device.launches) {
    launch.local_bytes = local_bytes[launch.name];
    launches.push_back(std::move(launch));
  }
  return machine_code(std::move(device.made), MachineCodeKind::assembly);
}

}  // namespace

Result<PtxCode> compile_ptx(std::span<const Program> programs, const Target& target,
                            std::string_view prefix, KernelTexts texts) {
  const std::vector<NamedKernel> kernels = TRY(named_kernels(programs, target, prefix));
  PtxCode code;
  std::vector<Launch> launches;
  if (texts == KernelTexts::together)
    code.texts.push_back(TRY(ptx_of(kernels, target, launches)));
  else
    for (const NamedKernel& kernel : kernels)
      code.texts.push_back(TRY(ptx_of({&kernel, 1}, target, launches)));
  auto next = launches.begin();
  for (const Program& program : programs) {
    const auto end = next + std::ssize(program.kernels);
    code.launches.emplace_back(next, end);
    next = end;
  }
  return code;
}

Result<std::string> emit_ptx_ir(std::span<const Program> programs, const Target& target,
                                std::string_view prefix, bool optimized) {
  const std::vector<NamedKernel> kernels = TRY(named_kernels(programs, target, prefix));
  DeviceModule device = TRY(emit_module(kernels, target, /*keep_names=*/true));
  if (optimized) TRY(attempt(device.made, [&] { optimize_kernels(*device.made); }));
  return print_ir(*device.made);
}

}  // namespace dovetail
