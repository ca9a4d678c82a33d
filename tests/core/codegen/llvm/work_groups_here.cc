// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/llvm/work_groups_here.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <array>
#include <barrier>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>

#include "core/base/fail.h"
#include "core/codegen/llvm/compile_ptx.h"
#include "core/codegen/llvm/recovery.h"
#include "core/ir/layout/layout.h"
#include "core/ir/value/ndarray.h"
#include "tests/core/codegen/llvm/device_ir_here.h"

namespace dovetail::testing {
namespace {

// void run_NAME(ptr arguments): calls the kernel with the pointers that the table has.
std::string adapter_of(const Launch& launch) {
  std::string body, arguments;
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    body += fmt::format(
        "  %s{0} = getelementptr ptr, ptr %t, i64 {0}\n  %a{0} = load ptr, ptr %s{0}\n", i);
    arguments += fmt::format("{}ptr %a{}", i == 0 ? "" : ", ", i);
  }
  return fmt::format(
      "\ndefine void @run_{0}(ptr %t) {{\n{1}  call void @{0}({2})\n  ret void\n}}\n", launch.name,
      body, arguments);
}

using KernelFunction = void (*)(void* const* arguments);

class Compiled {
 public:
  Result<void> compile(const std::string& text) {
    auto made = llvm::orc::LLJITBuilder().create();
    if (!made) return fail("{}", one_line(made.takeError()));
    jit_ = std::move(*made);
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic problem;
    auto module = llvm::parseAssemblyString(text, problem, *context);
    if (module == nullptr) return fail("IR: {}", problem.getMessage().str());
    module->setDataLayout(jit_->getDataLayout());
    llvm::orc::SymbolMap symbols;
    for (const HostFunction& r : host_functions())
      symbols[jit_->mangleAndIntern(r.symbol)] = {llvm::orc::ExecutorAddr::fromPtr(r.function),
                                                  llvm::JITSymbolFlags::Exported};
    llvm::orc::JITDylib& all = jit_->getMainJITDylib();
    if (llvm::Error e = all.define(llvm::orc::absoluteSymbols(symbols)))
      return fail("{}", one_line(std::move(e)));
    if (llvm::Error e =
            jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
      return fail("{}", one_line(std::move(e)));
    return {};
  }

  Result<KernelFunction> find(const Launch& launch) {
    auto found = jit_->lookup("run_" + launch.name);
    if (!found) return fail("{}", one_line(found.takeError()));
    return found->toPtr<KernelFunction>();
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

void run(const Launch& launch, KernelFunction kernel, void* const* arguments) {
  const auto items = static_cast<uint32_t>(launch.local[0] * launch.local[1] * launch.local[2]);
  const auto along = [&](size_t axis) {
    return static_cast<uint32_t>(launch.global[axis] / launch.local[axis]);
  };
  std::barrier<> barrier(items);
  std::vector<Warp> warps(items % kLanes == 0 ? items / kLanes : 0);
  const auto work_item = [&](uint32_t item) {
    const auto x = static_cast<uint32_t>(launch.local[0]);
    const auto y = static_cast<uint32_t>(launch.local[1]);
    current.thread = {item % x, item / x % y, item / x / y};
    current.barrier = &barrier;
    current.warp = warps.empty() ? nullptr : &warps[item / kLanes];
    current.lane = item % kLanes;
    current.warp_number = item / kLanes;
    for (uint32_t g = 0; g < along(0) * along(1) * along(2); ++g) {
      current.group = {g % along(0), g / along(0) % along(1), g / along(0) / along(1)};
      kernel(arguments);
      barrier.arrive_and_wait();  // local tiles are those of one group
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t item = 1; item < items; ++item) threads.emplace_back(work_item, item);
  work_item(0);
  for (std::thread& thread : threads) thread.join();
}

// A buffer's elements between zones that no kernel may write.
class BufferHere {
 public:
  BufferHere(const Buffer& buffer, const Storage& inputs)
      : type_(buffer.dtype), elements_(storage_elements(buffer.layout)) {
    const auto found = inputs.find(buffer.name);
    const std::vector<float> undefined(static_cast<size_t>(elements_),
                                       std::numeric_limits<float>::quiet_NaN());
    const NDArray values =
        converted(found == inputs.end() ? undefined : found->second, buffer.dtype);
    size_ = values.bytes().size();
    const size_t blocks = 2 * kZone + size_ / sizeof(Block) + 1;
    bytes_ = std::make_unique<Block[]>(blocks);
    std::memset(bytes_.get(), kGuard, blocks * sizeof(Block));
    std::memcpy(inside(), values.bytes().data(), size_);
  }
  std::byte* inside() const { return bytes_[kZone].bytes.data(); }

  bool guards_hold() const {
    const auto* all = reinterpret_cast<const unsigned char*>(bytes_.get());
    const size_t begin = kZone * sizeof(Block), end = begin + size_;
    for (size_t i = 0; i < end + kZone * sizeof(Block); ++i)
      if ((i < begin || i >= end) && all[i] != kGuard) return false;
    return true;
  }

  std::vector<float> values() const {
    return floats_of(NDArray::over(type_, {elements_}, inside()));
  }

 private:
  struct alignas(64) Block {
    std::array<std::byte, 64> bytes;
  };
  static constexpr size_t kZone = 64;  // blocks
  static constexpr unsigned char kGuard = 0xA5;

  ElementType type_;
  int64_t elements_ = 0;
  size_t size_ = 0;
  std::unique_ptr<Block[]> bytes_;
};

}  // namespace

Target ptx_target(Target device) {
  device.name = TargetName();
  device.name.backend = "ptx";
  device.has_images = false;
  device.has_fp64 = true;
  device.llvm_triple = kPtxTriple;
  device.llvm_cpu = "sm_90a";
  device.llvm_features.clear();
  return device;
}

Result<Storage> run_work_groups_here(const Program& program, const Target& target,
                                     const Storage& inputs) {
  const PtxCode code = TRY(compile_ptx({&program, 1}, target, "p"));
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string text = ir_for_host(TRY(emit_ptx_ir({&program, 1}, target, "p", /*optimized=*/true)));
  for (const Launch& launch : code.launches[0]) text += adapter_of(launch);
  Compiled compiled;
  TRY(compiled.compile(text));
  std::vector<BufferHere> buffers;
  for (const Buffer& buffer : program.buffers) buffers.emplace_back(buffer, inputs);
  for (const Launch& launch : code.launches[0]) {
    std::vector<void*> arguments;
    for (const int b : launch.buffers)
      arguments.push_back(buffers[static_cast<size_t>(b)].inside());
    run(launch, TRY(compiled.find(launch)), arguments.data());
  }
  Storage outputs;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (!buffers[b].guards_hold())
      return fail("buffer {}: written outside of its bounds", buffer.name);
    if (buffer.role == BufferRole::output) outputs[buffer.name] = buffers[b].values();
  }
  return outputs;
}

}  // namespace dovetail::testing
