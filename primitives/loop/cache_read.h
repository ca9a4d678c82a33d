// SPDX-License-Identifier: Apache-2.0
//
// cache_read(tensor, at=loop, scope): copy the part of a tensor that each round of a loop reads,
// and read the copy.
//
//   for i.0 in 0..4                               for i.0 in 0..4
//     for w in 0..56                                private W.cache[16, 32]
//       for i.1 in 0..16                            for W.cache.i.1 in 0..16
//         for o in 0..32                              for W.cache.o in 0..32 vectorized
//           acc[o] += X[…] * W[i.0, i.1, o]   ->        W.cache[W.cache.i.1, W.cache.o] = W[…]
//                                                   for w in 0..56
//                                                     for i.1 in 0..16
//                                                       for o in 0..32
//                                                         acc[o] += X[…] * W.cache[i.1, o]
//
// private: memory of the thread, on a CPU its stack. local: memory of an OpenCL work-group, filled
// by all of its work-items, with barriers around. workspace: memory that the program asks for, one
// part for each iteration that may run at the same time (compute_at.h).
// It adds a stage, `W.cache`, that copies; the line `loops W.cache:` gives its loops, over the
// part.
// Without it, the copy runs in vectors; that of a local tile is shared evenly among the work-items.
// In such a line, each thread axis of the work-group must be bound.
// Requires: 1) the tensor is a factor of the stage's product, not cached yet; 2) the stage has the
// loop; scope is private or workspace, or local on an opencl target; when the stage's line is done
// 3) the loop is still there, neither vectorized nor unrolled, nor one of the loops of its register
// tile; 4) loops shared among threads are around it, those shared among work-items too unless scope
// is local; 5) the part is a box, of at most 64 KiB, the device's local memory, or 64 MiB in
// workspace.
// Inverse: none.
// Elsewhere: cache_read (TVM), in().store_in() (Halide), stage_mem (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Stage> apply(const loop::CacheRead& cache_read, const Stage& stage);

// Makes the stages that the cached reads of the stage at `index` ask for, just before it.
Result<Schedule> with_cache_stages(const Schedule& schedule, size_t index, const Target& target);

}  // namespace dovetail
