// SPDX-License-Identifier: Apache-2.0
//
// The space of a region without a product: parameters, what they decode to, and the default rule.
//
//   made_at.E            apart     a kernel of its own
//                        inside    in each round of the loops over what all stages have in common
//                        workspace the same, in memory of the program's plan
//                        inlined   where it is read
//   cache_tile.Y.i       rows of such a round
//   vector_axis.E        along which axis vectors run (streams.h), or along none
//   register_tile.E      vectors side by side; over a reduction, wider ones
//   register_tile.E.rows rows side by side, of the innermost axis without vectors; the other side
//                        of a tile that is transposed
//   outer_order.Y        transposed tiles follow each other as they are written, or as they are
//                        read: sixteen streams to their ends, then the next sixteen
//   unroll.M.r           0: a loop, 1: written out
//   stores               1: the output goes past the caches
//   cache_tile.Y         work-items of a group (OpenCL)
//
// An axis that bounds speak of, as where tensors are joined, is cut at what all of them are
// multiples of: split(loop=c, factor=58), and inside that vectors and tiles as elsewhere.
//
// Loops of a stage, from the outside:
//
//   common axes in rounds ▸ [what is made inside] ▸ other output axes ▸ what data choose
//     ▸ reductions ▸ those written out ▸ rows ▸ vectors ▸ lanes
//
// The default rule: what fits 64 KiB is made inside (CPU); the first vector axis that fills its
// lanes; four vectors side by side; two where each waits for an exponential or the like, which is
// computed for two in step (one on a device: it keeps the registers busy); a sum along vectors
// takes one of 64 lanes, or four rows at once where a round has them; stores go past the caches
// where the tensors together would fill three quarters of the last one, and tiles that are
// transposed follow what they read.
//
// A reduction whose vectors fit no output axis as it is has a second space, `blocked`: a dimension
// that nothing slides over lies innermost, a vector of it, in all tensors. It is the default where
// the border is free, or where no other vectors are left.
#pragma once

#include "primitives/space/alternatives/alternatives.h"
#include "primitives/space/streams/streams.h"

namespace dovetail {

// `name`: of the alternative; `blocked` as derive_streams has it.
Alternative stream_alternative(const Region& region, const Target& target, const std::string& name,
                               const std::string& blocked);

}  // namespace dovetail
