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
// One after the other, 12,544 equal numbers lose 1.3e-4 of their sum, in blocks 2e-6. The tile of
// a product fills the registers, and is spilled around each block: its blocks have 128 terms and
// more, beside which 28 vectors that are stored and loaded again are one in a hundred. A large
// tile on a GPU stays in one chain, as twice the registers are half the work-items; the check of a
// run allows for the chain that is there (measure/reference/bounded_number.h).

#include <optional>
#include <span>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// The stage with a long loop of a sum in registers cut into blocks, where no other loop does it.
Stage with_block_loop(const Stage& stage);

// The number of the first loop inside a block; none where the sum is short, or no sum in registers.
std::optional<size_t> block_position(const Stage& stage);

// The loops as the nest has them: by groups of pairs, and in blocks where no stage of `others` is
// attached to one of them.
Result<Stage> with_summed_loops(const Stage& stage, std::span<const Stage> others);

// How many additions one after the other the longest chain of a stage's sum has: within a block,
// among blocks, among the rounds of loops outside the registers, among the lanes of a vector.
double longest_chain(const Stage& stage, std::span<const Stage> others = {});

}  // namespace dovetail
