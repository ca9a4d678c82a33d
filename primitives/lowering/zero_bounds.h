// SPDX-License-Identifier: Apache-2.0
//
// Bounds whose failing makes a sum grow by nothing: those of the factors of a product.
//
//   acc[w] += ((0 <= h + kh - 1 < 56 and 0 <= w + kw - 1 < 56) ? X[…] : 0) * W[kh, kw]
//
// Where such a bound fails the statement may be left out: what clip_loops, peel_bounds and the
// emitters live on.
#pragma once

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// Of one store; none when it does not accumulate. Bounds of reads from images are left out where a
// sampler gives the zero for nothing.
std::vector<Bound> zero_bounds(const Store& store, const Program& program);

// Those that every store in the block has; none when the block declares registers.
std::vector<Bound> common_zero_bounds(const Block& block, const Program& program);

// Those that some store in the block has, each once.
std::vector<Bound> all_zero_bounds(const Block& block, const Program& program);

// The block where the bound is known to hold.
Block without_bound(Block block, const Bound& bound);

}  // namespace dovetail
