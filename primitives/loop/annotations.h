// SPDX-License-Identifier: Apache-2.0
//
// How a loop's iterations run: by threads, as vector lanes, unrolled, or on a device's axes.
#pragma once

#include <algorithm>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// parallel(loop): let threads share the iterations of a loop.
//
//   for o.0 in 0..4  ->  for o.0 in 0..4 parallel
//
// Requires: 1) the loop exists and has no annotation; 2) it is an output loop, so that no two
// iterations store the same element; when lowered 3) it is the outermost loop of its stage (fuse
// first to share more).
// Elsewhere: parallel (TVM, Halide), parallelize_loop (Exo).
Result<Stage> apply(const loop::Parallel& parallel, const Stage& stage);

// vectorize(loop): run all iterations of a loop at once, as the lanes of a vector.
//
//   for o.1 in 0..16  ->  for o.1 in 0..16 vectorized
//
// Over a reduction each lane has its own sum (or maximum); these are combined after the loops
// around it:
//
//   for i in 0..6                          for i in 0..6
//     Y[i] = 0                               registers acc[16]
//     for j.0 in 0..8                        for j.1 in 0..16 vectorized
//       for j.1 in 0..16            ->         acc[j.1] = 0
//         Y[i] += X[i, 16*j.0 + j.1]         for j.0 in 0..8
//                                              for j.1 in 0..16 vectorized
//                                                acc[j.1] += X[i, 16*j.0 + j.1]
//                                            registers acc.total[]
//                                            acc.total[] = 0
//                                            for j.1 in 0..16 vectorized
//                                              acc.total[] += acc[j.1]
//                                            Y[i] = acc.total[]
//
// Requires: 1) the loop exists and has no annotation; 2) it has at most 64 iterations (wider
// vectors are cut into the target's own) and is the only one of its stage; when lowered 3) it is
// the innermost loop and 4) every tensor that it indexes has stride 1 along it; 5) over a
// reduction, a CPU, and a cache_write around all reductions of the stage.
// Elsewhere: vectorize (TVM, Halide), vectorize_loop (Exo).
Result<Stage> apply(const loop::Vectorize& vectorize, const Stage& stage);

// unroll(loop): write out all iterations.
//
//   for w.1 in 0..7  ->  for w.1 in 0..7 unrolled
//
// Requires: 1) the loop exists and has no annotation; 2) at most 1024 iterations; when lowered
// 3) at most 2048 copies of one statement.
// Elsewhere: unroll (TVM, Halide), unroll_loop (Exo).
Result<Stage> apply(const loop::Unroll& unroll, const Stage& stage);

// bind(loop, group.0): run the iterations of a loop as work-groups (group.0 … group.2) or
// work-items (thread.0 … thread.2) of a device.
//
//   for h in 0..56  ->  for h in 0..56 bind group.0
//
// Requires: 1) the loop exists and has no annotation; 2) it is an output loop; 3) no other loop of
// the stage has this axis; when lowered 4) bound loops enclose all others, 5) the product of the
// thread axes is within the device's work-group limit and 6) each of them within the device's limit
// along this axis, which may be lower: 64 along thread.2 where a group has up to 1024.
// Elsewhere: bind (TVM), gpu_blocks and gpu_threads (Halide).
Result<Stage> apply(const loop::Bind& bind, const Stage& stage);

// tensorize(loop, intrinsic): run a loop and those inside it as one instruction, whose definition
// they are (core/ir/intrinsic/intrinsic.h):
//
//   avx512_vnni.dot_i8: C[o]+=A[k]*B[o,k]:k=4,o=16,A=i8,B=i8,C=i32
//
//   for k.1 in 0..4             for k.1 in 0..4 unrolled tensorize avx512_vnni.dot_i8
//     for o.1 in 0..16     ->     for o.1 in 0..16 vectorized
//       acc[o.1] += …               acc[o.1] += …
//
// A machine without the instruction runs the loops. Requires: 1) the intrinsic exists; 2) the loop
// and those inside it are the intrinsic's, without annotation: reductions outermost, of its
// extents; when lowered 3) the operands have its types, and its strides along these loops, so that
// layouts must store them that way; 4) where it is an instruction of several work-items, their
// loops are bound as it numbers them (mma.m16n8k16_f16: 4 along thread.0, 8 or a multiple along
// thread.1), and none around it is clipped.
// Elsewhere: tensorize (TVM), replace by an @instr procedure (Exo), atomic.vectorize (Halide).
Result<Stage> apply(const loop::Tensorize& tensorize, const Stage& stage);

inline bool is_tensorized(const Stage& stage) {
  return std::ranges::any_of(stage.loops,
                             [](const StageLoop& loop) { return !loop.intrinsic.empty(); });
}

}  // namespace dovetail
