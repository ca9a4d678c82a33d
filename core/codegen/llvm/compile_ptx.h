// SPDX-License-Identifier: Apache-2.0
//
// compile_ptx: compiles Programs to PTX, the portable assembly of NVIDIA's processors, through LLVM
// and without the vendor's compilers.
//
//   for m.0 in 0..16 bind group.0          .visible .entry p0_gmm(.param .u64 .ptr .global X, …)
//     for m.1 in 0..8 bind thread.0        .reqntid 8, 1, 1 {
//       registers acc[4]                     mov.u32 %r1, %ctaid.x;  mov.u32 %r2, %tid.x;
//       for k in 0..64                       ld.global.nc.v4.f32 {%f1, …}, [%rd4+16];
//         for n in 0..4 vectorized           fma.rn.f32 %f9, %f5, %f1, %f9;
//           acc[n] += X[…] * W[…]            st.global.v4.f32 [%rd9], {%f9, …};
//
//   const PtxCode code = TRY(compile_ptx(programs, target, "net_p"));
//
// The triple nvptx64-nvidia-nvcl is that of NVIDIA's OpenCL driver: it loads the text as a binary
// (clCreateProgramWithBinary), so that kernels share contexts, queues and buffers with OpenCL C's.
// Images are not reached from here.
//
// Why beside OpenCL C: instructions that OpenCL C has no words for, and a front end of the driver
// that no longer stands between the nest and the code. The emitter is that of CPUs
// (emit/kernel_emitter.h): one walk of the nest, whose lanes are work-items here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/launch.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr std::string_view kPtxTriple = "nvptx64-nvidia-nvcl";

struct PtxCode {
  std::vector<std::string> texts;             // one; or, apart, one for each kernel
  std::vector<std::vector<Launch>> launches;  // by program, one for each kernel
};

// Kernels are named by `prefix`, the program's number and their own names. Fails, with one line,
// for what such a device or this emitter cannot do: images, more local memory or work-items than
// there are, prefetches, too much unrolled code. Precondition: the programs passed verify().
Result<PtxCode> compile_ptx(std::span<const Program> programs, const Target& target,
                            std::string_view prefix, KernelTexts texts = KernelTexts::together);

// The LLVM IR of that text, printed by `show --what ir`.
Result<std::string> emit_ptx_ir(std::span<const Program> programs, const Target& target,
                                std::string_view prefix, bool optimized);

}  // namespace dovetail
