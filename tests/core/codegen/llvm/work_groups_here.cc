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
#include <regex>
#include <thread>

#include "core/base/fail.h"
#include "core/codegen/llvm/compile_ptx.h"
#include "core/codegen/llvm/recovery.h"
#include "core/ir/layout/layout.h"
#include "core/ir/value/ndarray.h"

namespace dovetail::testing {
namespace {

// The words that each work-item of a warp gives to an instruction of all of them: four pairs of A,
// two of B, four sums.
constexpr size_t kLanes = 32;
using Words = std::array<uint32_t, 10>;
struct Warp {
  std::barrier<> barrier{kLanes};
  std::array<Words, kLanes> words = {};
};

// The answers that a work-item gets from its device.
struct WorkItem {
  std::array<uint32_t, 3> thread = {}, group = {};
  std::barrier<>* barrier = nullptr;
  Warp* warp = nullptr;  // none in a group that is no multiple of 32
  size_t lane = 0;
};
thread_local WorkItem current;

template <size_t axis>
uint32_t thread_number() {
  return current.thread[axis];
}
template <size_t axis>
uint32_t group_number() {
  return current.group[axis];
}
void wait_for_group() { current.barrier->arrive_and_wait(); }

// PTX ISA, "Matrix Fragments for mma.m16n8k16": lane 4*g + t has columns 2*t, 2*t + 1, 2*t + 8 and
// 2*t + 9 of rows g and g + 8 of A, the same of column g of B, and two sums of each row.
struct Matrices {
  std::array<std::array<float, 16>, 16> a;
  std::array<std::array<float, 16>, 8> b;
};

template <ElementType type>
Matrices matrices_of(const std::array<Words, kLanes>& words) {
  Matrices made;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    std::array<uint16_t, 12> halves;
    std::memcpy(halves.data(), words[lane].data(), sizeof halves);
    const std::vector<float> numbers = floats_of(NDArray::over(type, {12}, halves.data()));
    const size_t g = lane / 4, t = lane % 4;
    for (size_t i = 0; i < 8; ++i) {
      const size_t row = g + 8 * (i / 2 % 2), k = 2 * t + 8 * (i / 4) + i % 2;
      made.a[row][k] = numbers[i];
      if (i < 4) made.b[g][2 * t + 8 * (i / 2) + i % 2] = numbers[8 + i];
    }
  }
  return made;
}

template <ElementType type>
void multiply_matrices(uint32_t* words) {
  Warp& warp = *current.warp;
  std::copy_n(words, warp.words[0].size(), warp.words[current.lane].begin());
  warp.barrier.arrive_and_wait();
  const Matrices all = matrices_of<type>(warp.words);
  for (size_t i = 0; i < 4; ++i) {
    float sum = 0;
    std::memcpy(&sum, &words[6 + i], sizeof sum);
    const auto& row = all.a[current.lane / 4 + 8 * (i / 2)];
    const auto& column = all.b[2 * (current.lane % 4) + i % 2];
    for (size_t k = 0; k < row.size(); ++k) sum += row[k] * column[k];
    std::memcpy(&words[6 + i], &sum, sizeof sum);
  }
  warp.barrier.arrive_and_wait();  // until all have read
}

struct Replacement {
  const char* intrinsic;
  const char* symbol;
  void* function;
};
std::vector<Replacement> replacements() {
  const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  return {{"llvm.nvvm.read.ptx.sreg.tid.x", "thread_x", address(thread_number<0>)},
          {"llvm.nvvm.read.ptx.sreg.tid.y", "thread_y", address(thread_number<1>)},
          {"llvm.nvvm.read.ptx.sreg.tid.z", "thread_z", address(thread_number<2>)},
          {"llvm.nvvm.read.ptx.sreg.ctaid.x", "group_x", address(group_number<0>)},
          {"llvm.nvvm.read.ptx.sreg.ctaid.y", "group_y", address(group_number<1>)},
          {"llvm.nvvm.read.ptx.sreg.ctaid.z", "group_z", address(group_number<2>)},
          {"llvm.nvvm.barrier0", "wait_for_group", address(wait_for_group)},
          {"llvm.nvvm.mma.m16n8k16.row.col.f32.f32", "multiply_halves",
           address(multiply_matrices<ElementType::f16>)},
          {"llvm.nvvm.mma.m16n8k16.row.col.bf16", "multiply_bfloats",
           address(multiply_matrices<ElementType::bf16>)}};
}

// In place of an instruction's declaration: a function of its type, which calls ours with all words
// in memory.
std::string mma_of_words(const std::string& symbol, const std::string& pair) {
  std::string arguments, put, get;
  for (int i = 0; i < 10; ++i) {
    const std::string type = i < 6 ? pair : "float";
    arguments += fmt::format("{}{} %x{}", i == 0 ? "" : ", ", type, i);
    put += fmt::format(
        "  %p{0} = getelementptr i32, ptr %w, i64 {0}\n  store {1} %x{0}, ptr %p{0}\n", i, type);
  }
  std::string whole = "poison";
  for (int i = 0; i < 4; ++i) {
    get += fmt::format("  %y{0} = load float, ptr %p{1}\n", i, i + 6);
    get += fmt::format(
        "  %r{0} = insertvalue {{ float, float, float, float }} {1}, float %y{0}, {0}\n", i, whole);
    whole = fmt::format("%r{}", i);
  }
  return fmt::format(
      "\ndeclare void @{0}(ptr)\n"
      "define {{ float, float, float, float }} @{0}_of_words({1}) {{\n"
      "  %w = alloca [10 x i32]\n{2}  call void @{0}(ptr %w)\n{3}"
      "  ret {{ float, float, float, float }} {4}\n}}\n",
      symbol, arguments, put, get, whole);
}

// One memory, this machine's functions, and none of the device's properties.
std::string ir_for_host(const std::string& ir) {
  std::string text = std::regex_replace(ir, std::regex(R"( addrspace\([0-9]+\))"), "");
  text = std::regex_replace(text, std::regex(R"(\ntarget [^\n]*)"), "");
  text = std::regex_replace(text, std::regex(R"("target-[a-z]+"="[^"]*")"), "");
  text = std::regex_replace(text, std::regex("ptx_kernel "), "");
  text = std::regex_replace(text, std::regex("\n!nvvm[^\n]*"), "");
  text = std::regex_replace(text, std::regex(R"(\ndeclare[^\n]*nvvm\.mma[^\n]*)"), "");
  text = std::regex_replace(text, std::regex(R"((call [^\n]*nvvm\.mma[^(]*))"), "$1_of_words");
  for (const Replacement& r : replacements()) {
    for (size_t at = 0; (at = text.find(r.intrinsic, at)) != std::string::npos;)
      text.replace(at, std::strlen(r.intrinsic), r.symbol);
  }
  text += mma_of_words("multiply_halves", "<2 x half>") + mma_of_words("multiply_bfloats", "i32");
  return text;
}

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
    for (const Replacement& r : replacements())
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
