// SPDX-License-Identifier: Apache-2.0
//
// compile_cpu: compiles a Program to machine code, without files, other processes or global state.
//
//   const CpuObject object = TRY(compile_cpu(program, target));       // some milliseconds a kernel
//   const LoadedObject code = TRY(LoadedObject::load(object.bytes));  // core/codegen/llvm/loader.h
//   const auto kernel = TRY(code.find(object.kernels[0]));
//   kernel(buffers, 0, object.parallel_extents[0]);         // all, or a part of it
//
// A kernel is `void f(void* const* buffers, int64_t first, int64_t last)` over its outermost
// parallel loop; one without such a loop runs once, whatever first and last are. `buffers` has an
// entry per Program::buffers, in that order, 64-byte aligned, without aliases. Kernels have no
// globals, call nothing (exp, tanh and erf are inlined polynomials) and never allocate, so one
// object serves any number of threads, and deployments link it as it is.
//
// Why the emitter unrolls and vectorizes register tiles itself instead of relying on LLVM's
// vectorizer: the nest already specifies both. LLVM then only has to allocate registers, in a
// quarter of the time of -O3 on scalar loops, and the code is the one that the trace describes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

// Kernels of Program::kernels, in that order.
struct CpuObject {
  std::string bytes;                 // a relocatable object (ELF, Mach-O or COFF)
  std::vector<std::string> kernels;  // symbols in launch order: dovetail_kernel_0_pad_X, …
  // The extent of each kernel's parallel loop, the range of (first, last); 1: it runs once.
  std::vector<int64_t> parallel_extents;
  friend bool operator==(const CpuObject&, const CpuObject&) = default;
};

inline constexpr std::string_view kSymbolPrefix = "dovetail_kernel_";
struct CpuCodeOptions {
  // Prefix of every symbol, so that objects of several programs can be linked together. It is
  // followed by the kernel's number in the program.
  std::string_view prefix = kSymbolPrefix;
  // Hidden symbols link statically like others, but shared libraries do not export them.
  bool hidden = false;
};

// Fails, with one line, for what a CPU or this emitter cannot do: images, loops bound to threads, a
// lane stride other than 0 and 1 (in loads also 2), more than 64 lanes, register tiles or unrolled
// bodies that are too large; f16 where the target cannot convert it (x86-64-v2), and whatever else
// would need a symbol of another object. On Windows alone an object may need _fltused and the stack
// probe for large frames, which every program's C runtime has.
Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              const CpuCodeOptions& options = {});

// Printed by `show --what ir|asm`.
Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized);
Result<std::string> emit_assembly(const Program& program, const Target& target);

}  // namespace dovetail
