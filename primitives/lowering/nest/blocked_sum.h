// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long sums in registers are added up in blocks, so that rounding grows with a block's length and
// the number of blocks, and not with the number of terms:
//
//   for r in 0..12544                    for r.block in 0..112
//     acc += X[r]                 ->       block = 0
//                                          for r in 0..112
//                                            block += X[112*r.block + r]
//                                          acc += block
//
// Added in sequence, 12,544 equal numbers lose 1.3e-4 of their sum, in blocks 2e-6. The tile of a
// product fills the registers and is spilled around each block: its blocks have at least 128 terms,
// against which storing and reloading 28 vectors is one in a hundred. A large tile on a GPU stays
// in one chain, as twice the registers would halve the work-items, and so do sums of tensor cores,
// which would wait at each block's end; the check of a run allows for the actual chain
// (measure/reference/bounded_number.h).

#include <optional>
#include <span>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Splits a long loop of a sum in registers into blocks, where no other loop makes blocks.
Stage with_block_loop(const Stage& stage);

// Position of the first loop inside a block; nullopt where the sum is short, or not in registers.
std::optional<size_t> block_position(const Stage& stage);

// The stage with the loops of its nest: over groups of pairs, and in blocks where no stage of
// `others` is attached to it.
Result<Stage> with_summed_loops(const Stage& stage, std::span<const Stage> others);

// Length of the longest chain of dependent additions in a stage's sum: within a block, over blocks,
// over rounds of loops outside the registers, over the lanes of a vector.
double longest_chain(const Stage& stage, std::span<const Stage> others = {});

}  // namespace dovetail
