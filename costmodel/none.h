// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost model `none`: every program scores the same, so the strategy's own order decides what is
// measured. It is the baseline of every comparison of cost models.

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

Result<std::unique_ptr<CostModel>> make_none_cost_model(const CostModelOptions& options);

}  // namespace dovetail
