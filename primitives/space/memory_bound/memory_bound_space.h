// SPDX-License-Identifier: Apache-2.0
//
// The space of a region without a product: parameters, their decoding, and the default rule.
//
//   compute_at.E         apart     a kernel of its own
//                        inside    in each round of the loops over axes that all stages share
//                        workspace the same, in workspace that the memory plan places
//                        inlined   into its consumers
//   cache_tile.Y.i       rows of such a round
//   vector_axis.E        axis along which vectors run (plan.h), or none
//   register_tile.E      vectors unrolled side by side; over a reduction, wider vectors
//   register_tile.E.rows rows unrolled side by side, along the innermost axis without vectors; the
//                        other side of a transposed tile
//   outer_order.Y        transposed tiles follow each other as they are written, or as they are
//                        read: sixteen streams to their ends, then the next sixteen
//   unroll.M.r           0: a loop, 1: written out; on devices also parts of so many iterations, so
//                        that as many loads are on their way
//   stores               1: non-temporal stores of the output
//   cache_tile.Y         work-items of a group (OpenCL)
//   cache_order.Y        0: each work-item has rounds of its own; 1: work-items share rows, as in
//                        shared_rows.h; 2: and reduce them in parts, as in row_sums.h
//
// An axis that bounds mention, as in a concatenation, is split at their greatest common divisor:
// split(loop=c, factor=58). Inside that are vectors and tiles as elsewhere.
//
// Loops of a stage, from the outside:
//
//   common axes in rounds ▸ [stages computed inside] ▸ other output axes ▸ data-dependent loops
//     ▸ reductions ▸ unrolled reductions ▸ rows ▸ vectors ▸ lanes
//
// The default rule: stages that fit 64 KiB are computed inside (CPU). Vectors run along the first
// axis that fills its lanes, four side by side; two where each waits for an exponential or the
// like, which codegen interleaves for two (one on a device, where it occupies the registers). A sum
// along vectors takes one of 64 lanes, or four rows at once where a round has them. Stores are
// non-temporal, and transposed tiles follow what they read, where the tensors together would fill
// three quarters of the last-level cache. On a device the work-items of a group share rows, in
// parts where they divide them, and what finishes a reduction element by element is in its kernel.
//
// A reduction without a vectorizable output axis has a second alternative, `blocked`: in all
// tensors a dimension without windows is stored innermost in blocks of one vector. It is the
// default where the border is free, or where plain layouts have no vectors.
#pragma once

#include "primitives/space/alternatives.h"
#include "primitives/space/memory_bound/plan.h"

namespace dovetail::memory_bound {

// `name`: the alternative's name; `blocked`: as in derive_plan.
Alternative alternative(const Region& region, const Target& target, const std::string& name,
                        const std::string& blocked);

}  // namespace dovetail::memory_bound
