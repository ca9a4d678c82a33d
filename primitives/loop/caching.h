// SPDX-License-Identifier: Apache-2.0
//
// A stage keeps things near: copies of what it reads, rings of what it made in the rounds before,
// and sums in registers; and it asks for what it reads next.
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
// by all of its work-items, with barriers around. workspace: memory that the program asks for, one
// part for each iteration that may run at the same time (compute_at in attach.h).
// pad: so many elements stand behind each row of a local tile, so that neighbours along another
// axis fall in different banks of the memory: `W.cache[33*i.1 + o]` in place of
// `W.cache[32*i.1 + o]`.
// It adds a stage, `W.cache`, that copies; the line `loops W.cache:` gives its loops, over the
// part.
// Without it, the copy runs in vectors; that of a local tile is shared evenly among the work-items.
// In such a line, each thread axis of the work-group must be bound.
// Requires: 1) the tensor is a factor of the stage's product, not cached yet; 2) the stage has the
// loop; scope is private or workspace, or local on an opencl target, and only a local tile is
// padded, by at most 64; when the stage's line is done 3) the loop is still there, neither
// vectorized nor unrolled, nor one of the loops of its register tile; 4) loops shared among threads
// are around it, those shared among work-items too unless scope is local; 5) the part is a box, of
// at most 64 KiB, the device's local memory, or 64 MiB in workspace.
// Inverse: none.
// Elsewhere: cache_read (TVM), in().store_in() (Halide), stage_mem (Exo).
Result<Stage> apply(const loop::CacheRead& cache_read, const Stage& stage);

// Makes the stages that the cached reads of the stage at `index` ask for, just before it.
Result<Schedule> with_cache_stages(const Schedule& schedule, size_t index, const Target& target);

// double_buffer(tensor): keep two copies of what cache_read copies; the next round's is made before
// this round's is used, so that the device can do both at once.
//
//   for i.0 in 0..4                             local W.cache[2, 256]
//     barrier                                   W.cache[0, …] = W[0, …]
//     local W.cache[256]                        for i.0 in 0..3
//     W.cache[…] = W[i.0, …]             ->       barrier
//     barrier                                     W.cache[(i.0 + 1) mod 2, …] = W[i.0 + 1, …]
//     acc += X[…] * W.cache[…]                    acc += X[…] * W.cache[i.0 mod 2, …]
//                                               barrier
//                                               acc += X[…] * W.cache[1, …]
//
// The last round is written apart, as it makes nothing; one barrier a round is enough.
// Requires: 1) the tensor is one that this stage copies with a cache_read before; 2) only once;
// when the stage's line is done 3) the loop of the cache_read is serial, with at least two rounds.
// Inverse: none.
// Elsewhere: double_buffer (TVM), software pipelining (inject_software_pipeline).
Result<Stage> apply(const loop::DoubleBuffer& double_buffer, const Stage& stage);

// cache_write(tensor, at=loop): accumulate in registers what the loops inside `loop` produce, and
// store it once they are done.
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
// at=root puts all of it in registers. A reduction loop outside `at` makes partial sums go through
// Y: the tile starts from Y but in the first round, and only the last one applies the epilogue.
// stores=streaming stores past the caches (`= … streaming`): for an output larger than they are,
// which nobody reads soon.
// Requires: 1) tensor is the stage's output; 2) the loop exists; 3) only once per stage; when
// lowered 4) at most 4096 elements and 5) a vectorized loop is inside the tile; to stream, besides,
// 6) a CPU, 7) whole vectors at their alignment, 8) no reduction loop outside `at`.
// Elsewhere: cache_write (TVM), store_in Register (Halide), stage_mem (Exo).
Result<Stage> apply(const loop::CacheWrite& cache_write, const Stage& stage);

// Whether storage of this type keeps what the stage reduces as it is from round to round: integers
// need i64, real numbers f32. Elsewhere cache_write outside of all reduction loops has to.
bool keeps_sums(const Stage& stage, ElementType storage);

// prefetch(tensor, at=loop, distance=D): at the start of each iteration of `loop`, ask the caches
// for what iteration + D reads of `tensor` first: the cache lines from its first element on, as
// many as the iteration reads in one stretch, at most 8.
//
//   for i.0 in 0..32                  for i.0 in 0..32 prefetch W[o.0, i.0 + 2, 0, 0] lines 8
//     for i.1 in 0..16          ->      for i.1 in 0..16
//       … W[o.0, i.0, i.1, o.1]           … W[o.0, i.0, i.1, o.1]
//
// With of=loop each iteration asks the second cache for its part of what iteration + D of that loop
// around it reads: loops between the two that the tensor has no index of take turns.
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
// A hint: the last D iterations ask for what is never read, and nothing else changes. Worth trying
// for weights that come from beyond the second cache and are walked in steps that its own
// prefetcher does not follow. Those of a whole tile are read once from memory, in its first row of
// tiles, which then waits for them; asked for a tile ahead they come while all its rows compute.
// Requires: 1) the stage reads the tensor; 2) the loops exist, `of` around `at`; 3) D from 1 to 64;
// 4) once per tensor and loop; when lowered 5) a CPU, 6) the loops are still there and `at` is not
// vectorized, 7) the tensor is in a buffer: no part of it that another stage makes inside this one.
// Elsewhere: prefetch (Halide), software prefetch intrinsics.
Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage);

// roll(axis): of the part that this attached stage makes in each round keep, along an axis, what
// the next round reads, too; each round makes only what the one before did not. The tile is a ring
// as long as the part: element p of the part of round t is at (step*t + p) mod length.
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
// (Bounds of X left out.) What comes ahead are whole rounds, one where the part is no longer than
// two steps: the loops of the stage, which later primitives cut and annotate, are then the same
// there and inside. They make at most step - 1 elements that nobody reads.
//
// Requires: 1) the stage is attached, and this is the first primitive after compute_at, or the
// first in the line of a copy that cache_read makes; 2) scope is private or workspace, with one
// copy; 3) the loop that it is attached to is serial, with more than one round (a parallel loop may
// be around it: each of its iterations then has its own rounds ahead); 4) from round to round the
// part moves along the axis by a constant step, less than its extent, and along no other axis;
// 5) what the stage reads is there before that loop: made outside it, or inside the stage; 6) no
// vectorized loop runs over the axis, where it would wrap around, and nothing is prefetched.
// Inverse: none.
// Elsewhere: store_at outside compute_at, with fold_storage (Halide); rolling_buffer (TVM).
Result<Stage> apply(const loop::Roll& roll, const Stage& stage);

}  // namespace dovetail
