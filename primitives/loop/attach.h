// SPDX-License-Identifier: Apache-2.0
//
// Attaches a stage to a loop of its consumer, the host: which loops are around it, which part of
// its tensor one round reads, and the loops over that part. Shared by compute_at and cache_read.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// `stage` has an attachment with stage, loop, scope and doubled; attach() adds the rest of it and
// the stage's loops. Precondition: the loops of the host and of all readers are final. Errors start
// with `what`.
Result<Stage> attach(const std::string& what, const Stage& stage, const Schedule& schedule,
                     const Target& target);

// compute_at(stage, loop[, scope]): run this stage inside a loop of its consumer, or of a stage
// around the consumer; each round computes the part that it reads, in a tile.
//
//   kernel pad_X                                          kernel c2d
//     for h in 0..58                                        for h in 0..56 parallel
//       for w in 0..58                                        private X.pad[3, 58]
//         X.pad[h, w] = (…) ? X[h - 1, w - 1] : 0             for X.pad.h in 0..3
//   kernel c2d                                        ->        for X.pad.w in 0..58
//     for h in 0..56 parallel                                     X.pad[X.pad.h, X.pad.w] =
//       for w in 0..56                                                (…) ? X[h + …] : 0
//         Y[h, w] = Σ X.pad[h + kh, w + kw] · …               for w in 0..56
//                                                               Y[h, w] = Σ X.pad[kh, …] · …
//
// Any stage can move: a copy, an elementwise step, or a reduction, which then runs in each round.
// A softmax is one kernel when all its stages move to the loop over rows:
//
//   loops M: compute_at(stage=Y, loop=i)                  kernel Y
//   loops E: compute_at(stage=Y, loop=i)                    for i in 0..6 parallel
//   loops D: compute_at(stage=Y, loop=i)                      private M[1]
//   loops Y: parallel(i)                                      private E[1, 10]
//                                                             private D[1]
//                                                             …
//
// The tile's scope is private by default. `scope=workspace` makes it a temporary buffer of the
// program, with one part for each iteration of the loops around that may run at the same time: an
// iteration knows its number, but not which worker runs it. Few, long iterations need little
// memory; a serial loop around costs nothing.
//
//   loops E: compute_at(stage=Y, loop=h.0, scope=workspace)        loops Y: … parallel(n)
//   ->  buffer E: f32 temporary E[Y.n=2, m=96, y=11, x=112] …      E[n, E.m, E.y, E.x] = …
//
// `scope=local` shares the tile among the work-items of a group, as cache_read's does. Tiles at one
// loop are filled in the order of their stages, and a private one may be made of a local one, or be
// read by one: barriers stand before what reads a local tile that was just filled.
//
// The part is found by ranges over all reads together: per physical axis, the loops around it give
// its start, the loops inside give its length. Where rounds overlap, the overlap is computed again.
//
// compute_at rebuilds the stage's loops over the part, one per physical axis, with the reductions
// inside, so it comes first in its line; later primitives apply to these (roll, if at all, next).
// Requires: 1) it is the first primitive of its stage; 2) all readers of the stage's tensor are the
// named stage, or run inside it, within the loop; 3) that stage has the loop, and it is neither
// vectorized nor unrolled, nor one of the loops of its register tile; 4) parallel and bound loops
// are around it (those over work-items may be inside when the scope is local); 5) the part is a
// box; 6) it has at most 64 KiB, the device's local memory, or in workspace 64 MiB, and there at
// most 1 GiB for all iterations that may run at the same time; 7) scope local needs an opencl
// target, workspace a kernel that does not run at build time. The stage's own loops are not
// parallel.
// Inverse: none; a stage without it is a kernel of its own.
// Elsewhere: compute_at (TVM, Halide), fuse_into (Exo).
//
// `stage`: name of the stage that moves. Precondition: the loops of its readers are final.
Result<Schedule> apply(const loop::ComputeAt& compute_at, const Schedule& schedule,
                       const std::string& stage, const Target& target);

}  // namespace dovetail
