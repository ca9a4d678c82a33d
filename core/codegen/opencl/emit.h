// SPDX-License-Identifier: Apache-2.0
#pragma once

// emit_opencl: compiles a Program to OpenCL C 1.2, with the launch of each kernel.
//
//   for o.0 in 0..16 bind group.0         __kernel __attribute__((reqd_work_group_size(8, 1, 1)))
//     for w in 0..8 bind thread.0         void kernel_c2d(__global const float* restrict X,
//       registers acc[4]                        __read_only image2d_t W, __global float* …) {
//       for i in 0..64                      const int o_0 = get_group_id(0);  // < 16
//         for o.1 in 0..4 vectorized        const int w = get_local_id(0);  // < 8
//           acc[o.1] += X[…] * W[…]         for (int i = 0; i < 64; ++i) {
//       for o.1 in 0..4 vectorized            …    acc = fma((float4)(X_0), W_0, acc);
//         Y[…] = acc[o.1]                   *(__global float4*)(Y + 4*w + 32*o_0) = acc;
//
//   loops       bound to group.N, thread.N: ids; without any, the outermost parallel is group.0
//   vectorized  float16, 8, 4, 2 values; lane by lane where memory is not contiguous
//   unrolled    written out, so that register tiles are private variables; adjacent scalars that
//               such a loop reads are loaded as one vector where it is aligned
//   tiles       registers, private: named variables where indices are constants, else an array;
//               local: an array shared by the work-items of a group, with the nest's barriers
//   scopes      global: a buffer; texture…: an image (core/ir/layout/image_shape.h), read through a
//               sampler that returns zero outside, so that guards made redundant by it are dropped
//   dtype       floats compute in f32, integers in 64 bits; f16 is for storage, without extension
//
// Why the text names every load and unrolls loops itself: a tuner must measure the schedule that it
// asked for, not one compiler's heuristics; and the text must be readable.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/launch.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

struct OpenclSource {
  std::string text;
  std::vector<Launch> launches;  // one per kernel, in launch order
};

// Precondition: the program passed verify(). Fails, with one line, for what this target cannot run:
// a work-group or an image over its limits, an innermost image axis that is not 4, partial texel
// stores, too much unrolled code.
Result<OpenclSource> emit_opencl(const Program& program, const Target& target);

// Programs that are compiled together, such as a network's:
//
//   emit_opencl(network.programs, target, "dovetail_p")    kernels dovetail_p0_conv, dovetail_p1_…
//
// Shared definitions (the image sampler, floor division) may occur only once in a compilation unit,
// so that texts that are apart each have those that their kernel uses, and cannot be joined.
struct OpenclSources {
  std::vector<std::string> texts;             // one; or, apart, one for each kernel
  std::vector<std::vector<Launch>> launches;  // one list per program
};
Result<OpenclSources> emit_opencl(std::span<const Program> programs, const Target& target,
                                  std::string_view prefix,
                                  KernelTexts texts = KernelTexts::together);

}  // namespace dovetail
