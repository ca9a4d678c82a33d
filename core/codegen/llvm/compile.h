// SPDX-License-Identifier: Apache-2.0
//
// compile_cpu: a Program as machine code, without any file, process or global state in between.
//
//   const CpuObject object = TRY(compile_cpu(program, target));       // some milliseconds a kernel
//   const LoadedObject code = TRY(LoadedObject::load(object.bytes));  // core/codegen/llvm/loader.h
//   const auto kernel = TRY(code.find(object.kernels[0]));
//   kernel(buffers, 0, object.parallel_extents[0]);         // all, or a part of it
//
// A kernel is `void f(void* const* buffers, int64_t first, int64_t last)` over its outermost
// parallel loop; one without such a loop runs once, whatever first and last are. `buffers` has an
// entry for each of Program::buffers, in that order, 64-byte aligned, none overlapping another.
// Kernels have no globals, call nothing (exp, tanh and erf are inlined polynomials) and never
// allocate, so one object serves any number of threads, and a deployment links it as it is.
//
// Why the register tile is written out by us, as vectors, and not found by a vectoriser: the nest
// already says what is unrolled and what is a vector. LLVM then only has to allocate registers: a
// quarter of the time of -O3 on scalar loops, and the result is the one that the trace describes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

// Kernels of Program::kernels, in that order. One that was left out has its name and extent here,
// too, so that whoever launches counts kernels as the program does; no symbol is defined for it.
struct CpuObject {
  std::string bytes;                 // a relocatable object (ELF) without undefined symbols
  std::vector<std::string> kernels;  // symbols in launch order: dovetail_kernel_0_pad_X, …
  std::vector<int64_t>
      parallel_extents;  // the range of (first, last) of each kernel; 1: it runs once
  friend bool operator==(const CpuObject&, const CpuObject&) = default;
};

// once: those that prepare constants (Kernel::once); repeated: those of each run.
enum class KernelsToCompile : uint8_t { all, once, repeated };

inline constexpr std::string_view kSymbolPrefix = "dovetail_kernel_";
struct CpuCodeOptions {
  // Opens every symbol, so that objects of several programs link together. Behind it stands the
  // kernel's number in the program, whichever kernels are compiled.
  std::string_view prefix = kSymbolPrefix;
  KernelsToCompile kernels = KernelsToCompile::all;
  // Hidden symbols link statically as others do, and no shared library exports them.
  bool hidden = false;
};

// Fails, in one line, for what a CPU or this emitter cannot do: images, loops bound to threads, a
// lane stride other than 0 and 1, more than 64 lanes, a register tile or an unrolled body beyond
// reason; f16 where the target cannot convert it (x86-64-v2), and whatever else would need a symbol
// of another object. On Windows alone an object may need _fltused and the probe of large stack
// frames, which each program's C runtime has.
Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              const CpuCodeOptions& options = {});

// `show --what ir|asm` prints these.
Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized);
Result<std::string> emit_assembly(const Program& program, const Target& target);

}  // namespace dovetail
