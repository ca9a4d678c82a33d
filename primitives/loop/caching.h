// SPDX-License-Identifier: Apache-2.0
//
// Data that a stage keeps near: copies of its inputs, rings of parts from earlier rounds, sums in
// registers; and prefetches of its inputs.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// cache_read(tensor, at=loop, scope, pad=0): copy the part of a tensor that each round of a loop
// reads, and read the copy.
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
// by all of its work-items, with barriers around. workspace: a temporary buffer of the program,
// with one part for each iteration that may run at the same time (compute_at in attach.h).
// pad: elements behind each row of a local tile, so that neighbours along another axis are in
// different banks of the memory: `W.cache[33*i.1 + o]` in place of `W.cache[32*i.1 + o]`.
// It adds a stage, `W.cache`, that copies; the line `loops W.cache:` gives its loops, over the
// part, and must bind each thread axis of the work-group. Without that line, the copy is
// vectorized, and that of a local tile is shared evenly among the work-items.
// Requires: 1) the tensor is a factor of the stage's product, not cached yet; 2) the stage has the
// loop; scope is private or workspace, or local on an opencl target, and only a local tile is
// padded, by at most 64; when the stage's line is done 3) the loop is still there, neither
// vectorized nor unrolled, nor one of the loops of its register tile; 4) parallel loops are around
// it, loops over work-items too unless scope is local; 5) the part is a box, of at most 64 KiB, the
// device's local memory, or 64 MiB in workspace.
// Inverse: none.
// Elsewhere: cache_read (TVM), in().store_in() (Halide), stage_mem (Exo).
Result<Stage> apply(const loop::CacheRead& cache_read, const Stage& stage);

// Whether the trace copies the tensor to the local memory of work-groups, in any stage's line.
bool is_copied_to_local(const Trace& trace, const std::string& tensor);

// Adds the copying stages of the cached reads of the stage at `index`, directly before it.
Result<Schedule> with_cache_stages(const Schedule& schedule, size_t index, const Target& target);

// double_buffer(tensor, copies=2): keep copies of a tile that cache_read fills, one for this round
// and the others for the next ones, so that the device loads and computes at once.
//
//   for i.0 in 0..4                             local W.cache[2, 256]
//     barrier                                   W.cache[0, …] = W[0, …]
//     local W.cache[256]                        for i.0 in 0..3
//     W.cache[…] = W[i.0, …]             ->       registers W.cache.next[8, 4]
//     barrier                                     W.cache.next[…] = W[i.0 + 1, …]
//     acc += X[…] * W.cache[…]                    barrier
//                                                 acc += X[…] * W.cache[i.0 mod 2, …]
//                                                 W.cache[(i.0 + 1) mod 2, …] = W.cache.next[…]
//                                               barrier
//                                               acc += X[…] * W.cache[1, …]
//
// The last round is peeled, since it copies nothing; one barrier per round suffices. A private
// tile, or a part of more than 64 elements a work-item, goes straight to its copy before this
// round's is used (lowering/nest/staged_fill.h).
//
// More than two copies are filled asynchronously, all but one of them ahead of the round, and a
// barrier waits for this round's alone. With three:
//
//   local W.cache[3, 256]
//   W.cache[0, …] = W[0, …] async
//   barrier leaving 1
//   W.cache[1, …] = W[1, …] async
//   for i.0 in 0..2
//     barrier leaving 1
//     W.cache[(i.0 + 2) mod 3, …] = W[i.0 + 2, …] async
//     acc += X[…] * W.cache[i.0 mod 3, …]
//   for i.0.last in 0..2
//     barrier leaving 1
//     acc += X[…] * W.cache[(i.0.last + 2) mod 3, …]
//
// behind=1: one copy fewer is filled ahead, and instructions that run on by themselves (wgmma) are
// awaited a round later: tensor cores go on while work-items meet at the barrier. With four copies:
//
//   for i.0 in 0..60
//     barrier leaving 1 products 1              round i.0 - 1 may run, i.0 - 2 is done
//     acc += X[…] * W.cache[i.0 mod 4, …]
//     W.cache[(i.0 + 2) mod 4, …] = W[i.0 + 2, …] async
//
// A round of the tensor cores is shorter than the time that memory needs to answer: 4096 x 4096 x
// 4096 of f16 took an H200 382 TFLOP/s with two copies and 632 with four (a kernel by hand, with
// parts of 32 and of 64 channels). Devices without asynchronous copies fill them at once.
// Requires: 1) the tensor is one that this stage copies with a cache_read before; 2) only once; 3)
// 2 to 8 copies, more than two in scope local, of which two at least are not behind; when the
// stage's line is done 4) the loop of the cache_read is serial, with at least as many rounds as
// copies, and 5) all tiles with copies that this loop fills have the same number, and behind.
// Inverse: none.
// Elsewhere: double_buffer (TVM), software pipelining (inject_software_pipeline; num_stages in
// Triton).
inline constexpr int64_t kMostCopies = 8;
Result<Stage> apply(const loop::DoubleBuffer& double_buffer, const Stage& stage);

// cache_write(tensor, at=loop): accumulate the results of the loops inside `loop` in registers, and
// store them once these loops are done.
//
//   for w.0 in 0..8                        for w.0 in 0..8
//     for i in 0..64                         registers acc[7]
//       for w.1 in 0..7           ->         for w.1 in 0..7
//         Y[7*w.0 + w.1] += …                  acc[w.1] = 0
//                                            for i in 0..64
//                                              for w.1 in 0..7
//                                                acc[w.1] += …
//                                            for w.1 in 0..7
//                                              Y[7*w.0 + w.1] = epilogue(acc[w.1])
//
// at=root keeps the whole output in registers. With a reduction loop outside `at`, partial sums go
// through Y: the tile starts from Y except in the first round, and only the last round applies the
// epilogue. stores=streaming makes the stores non-temporal (`= … streaming`): for an output that
// exceeds the caches and is not read soon.
// Requires: 1) tensor is the stage's output; 2) the loop exists; 3) only once per stage; when
// lowered 4) at most 4096 elements and 5) a vectorized loop is inside the tile; to stream, besides,
// 6) a CPU, 7) whole vectors at their alignment, 8) no reduction loop outside `at`.
// Elsewhere: cache_write (TVM), store_in Register (Halide), stage_mem (Exo).
Result<Stage> apply(const loop::CacheWrite& cache_write, const Stage& stage);

// Whether partial sums of the stage may be stored in this type from round to round: integers need
// i64, real numbers f32 or f64. Otherwise cache_write must be outside of all reduction loops.
bool keeps_sums(const Stage& stage, ElementType storage);

// prefetch(tensor, at=loop, distance=D): at the start of each iteration of `loop`, prefetch the
// first lines of `tensor` that iteration + D reads: from its first element on, as many as the
// iteration reads contiguously, at most 8.
//
//   for i.0 in 0..32                  for i.0 in 0..32 prefetch W[o.0, i.0 + 2, 0, 0] lines 8
//     for i.1 in 0..16          ->      for i.1 in 0..16
//       … W[o.0, i.0, i.1, o.1]           … W[o.0, i.0, i.1, o.1]
//
// With of=loop each iteration prefetches into L2 its share of what iteration + D of that loop
// around it reads; loops between the two that do not index the tensor divide the lines among them.
//
//   prefetch(tensor=W, at=i.0, distance=1, of=o.0), of four lines in each iteration of i.0:
//
//   for o.0 in 0..8
//     for m.0 in 0..4
//       for i.0 in 0..32
//         … W[o.0, i.0, i.1, o.1]
// ->
//   for o.0 in 0..8
//     for m.0 in 0..4
//       for i.0 in 0..32 prefetch W[o.0 + 1, i.0, m.0, 0] lines 1 far
//         … W[o.0, i.0, i.1, o.1]
//
// A hint: the last D iterations prefetch lines that are never read, and nothing else changes. Worth
// trying for weights from beyond L2 with strides that the hardware prefetcher does not follow. A
// tile's weights are read once from memory, by its first row of tiles, which then waits for them;
// prefetched a tile ahead they arrive while all its rows compute.
// Requires: 1) the stage reads the tensor; 2) the loops exist, `of` around `at`; 3) D from 1 to 64;
// 4) once per tensor and loop; when lowered 5) a CPU, 6) the loops are still there and `at` is not
// vectorized, 7) the tensor is a buffer, not a tile of a stage that is attached to this one.
// Elsewhere: prefetch (Halide), software prefetch intrinsics.
Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage);

// roll(axis): keep, along an axis, the elements of this attached stage's part that the next round
// reads, too; each round computes only the new ones. The tile is a ring as long as the part:
// element p of the part of round t is at (step*t + p) mod length.
//
//   for h.0 in 0..3                              private A[6]
//     private A[6]                               for A.h in 0..4                      a round ahead
//     for A.h in 0..6                              A[(A.h + 4) mod 6] = exp(X[A.h - 3])
//       A[A.h] = exp(X[4*h.0 + A.h - 1])         for h.0 in 0..3
//     for h.1 in 0..4                      ->      for A.h in 0..4
//       for r in 0..3                                A[(4*h.0 + A.h + 2) mod 6] =
//         Y[4*h.0 + h.1] max= A[h.1 + r]                 exp(X[4*h.0 + A.h + 1])
//                                                  for h.1 in 0..4
//                                                    for r in 0..3
//                                                      Y[4*h.0 + h.1] max=
//                                                          A[(4*h.0 + h.1 + r) mod 6]
//
// (Bounds of X left out.) The prologue consists of whole rounds, one where the part is no longer
// than two steps, so that the stage's loops, which later primitives split and annotate, are the
// same there and inside. It computes at most step - 1 elements that are never read.
//
// Requires: 1) the stage is attached, and this is the first primitive after compute_at, or the
// first in the line of a copy that cache_read makes; 2) scope is private or workspace, with one
// copy; 3) the loop that it is attached to is serial, with more than one round (a parallel loop may
// be around it: each of its iterations then has its own prologue); 4) from round to round the part
// moves along the axis by a constant step, less than its extent, and along no other axis; 5) the
// stage's inputs exist before that loop: computed outside it, or inside the stage; 6) no vectorized
// loop runs over the axis, where it would wrap around, and nothing is prefetched.
// Inverse: none.
// Elsewhere: store_at outside compute_at, with fold_storage (Halide); rolling_buffer (TVM).
Result<Stage> apply(const loop::Roll& roll, const Stage& stage);

}  // namespace dovetail
