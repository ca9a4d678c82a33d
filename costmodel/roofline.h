// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost model `roofline`: the score is the speed that the analytic model of
// costmodel/features/cost_estimate.h expects, 1 / seconds. It learns nothing, so it is as good on
// the first candidate as on the last: a draft model, to be verified by a better one (Pruner,
// arXiv 2402.02361).

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

Result<std::unique_ptr<CostModel>> make_roofline_cost_model(const CostModelOptions& options);

}  // namespace dovetail
