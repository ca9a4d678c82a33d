// SPDX-License-Identifier: Apache-2.0
//
// Products of factors in tf32x2 by tensor cores: three products of parts in tf32
// (primitives/algorithm/split_factors.h), whose pairs of parts are taps of a window.
//
//   region of gmm in tf32x2      computations W.split, X.split and gmm, anchor gmm
//
// Both parts of a tile are then copied in a round and multiplied three times, so that a sum takes
// three times the products of tf32 and twice the bytes.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail::tensor_cores {

inline constexpr algorithm::SplitFactors kSplit{.products = 3};

// The region after that algorithm; nullopt where it has no such factors.
std::optional<Region> with_split_factors(const Region& region);

// The loops of the stages that make parts, for a trace that has the layouts of all operands: a
// work-item makes both parts of four numbers, which are a vector where the factor has them side by
// side.
std::vector<StageLoops> loops_of_parts(const Region& split,
                                       const std::vector<TensorLayout>& layouts,
                                       const Target& target);

}  // namespace dovetail::tensor_cores
