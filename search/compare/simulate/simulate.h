// SPDX-License-Identifier: Apache-2.0
#pragma once

// simulate: a whole search on a measured space, without the device.
//
//   const SimulatedRun run = TRY(simulate(space, {.strategy = *parse_strategy("evolutionary"),
//                                                 .cost_model = "xgboost",
//                                                 .seed = 3,
//                                                 .trials = 200}));
//   run.evaluations      200 of them: what each took to measure, and the time it had
//
// It is the search that `tune` does, the same tuner with the same rounds, but what answers is a
// LogRunner, and candidates come from the space's table instead of being lowered. As in Kernel
// Tuner's simulation, a failed point is an evaluation as any other, and one that was there before
// costs nothing, of time or of budget. Nothing is measured again: a space has one time a point.

#include <string>
#include <vector>

#include "costmodel/saved_model.h"
#include "search/compare/simulate/simulated_space.h"
#include "search/compare/strategy_curve.h"
#include "search/stop_condition.h"
#include "search/strategies/strategies.h"

namespace dovetail {

struct SimulationRequest {
  StrategySpec strategy;
  std::string cost_model = "none";
  const SavedModel* warm_start = nullptr;  // of cost models that learn; null: none
  const SavedAgent* agent = nullptr;       // of strategies that have one; null: none
  uint64_t seed = 0;
  int64_t trials = 0;
  bool default_first = true;  // trial 1 is the default trace, as in `tune`
};

struct SimulatedRun : RunToCompare {
  std::vector<uint64_t> traces;  // hashes, of the evaluations
  StopReason stop = StopReason::trials;
};

// An error is the strategy's or the model's, or says that no trial was possible.
Result<SimulatedRun> simulate(const SimulatedSpace& space, const SimulationRequest& request);

}  // namespace dovetail
