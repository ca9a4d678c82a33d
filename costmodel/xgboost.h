// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost model `xgboost`: boosted trees over the features of costmodel/features, trained again
// each time the data grew by a fifth. Until there are enough samples it scores as its warm start
// does, or else as `roofline`.
//
// Labels are relative to the task's best so far (costmodel/training_rows.h), so a failure is the
// worst. With a warm start, trees are added to those that it has: few samples correct them a
// little, many replace them. Of more than 2,500 samples the best and an even choice of the others
// are kept.

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

Result<std::unique_ptr<CostModel>> make_xgboost_cost_model(const CostModelOptions& options);

}  // namespace dovetail
