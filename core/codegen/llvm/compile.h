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

struct CpuObject {
  std::string bytes;                 // a relocatable object (ELF) without undefined symbols
  std::vector<std::string> kernels;  // symbols in launch order: dovetail_kernel_0_pad_X, …
  std::vector<int64_t>
      parallel_extents;  // the range of (first, last) of each kernel; 1: it runs once
  friend bool operator==(const CpuObject&, const CpuObject&) = default;
};

// Fails, in one line, for what a CPU or this emitter cannot do: images, loops bound to threads, a
// lane stride other than 0 and 1, more than 64 lanes, a register tile or an unrolled body beyond
// reason. `prefix` opens every symbol, so that objects of several regions link together.
inline constexpr std::string_view kSymbolPrefix = "dovetail_kernel_";
Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              std::string_view prefix = kSymbolPrefix);

// `show --what ir|asm` prints these.
Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized);
Result<std::string> emit_assembly(const Program& program, const Target& target);

}  // namespace dovetail
