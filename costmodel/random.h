// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost model `random`: a score is a number in [0, 1) mixed from the seed and the program's
// features, so that a round is ranked by chance, and the same program always scores the same. The
// baseline that a ranking must beat: unlike `none` it also discards the strategy's own order.

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

Result<std::unique_ptr<CostModel>> make_random_cost_model(const CostModelOptions& options);

}  // namespace dovetail
