// SPDX-License-Identifier: Apache-2.0
#pragma once

// SimulatedSpace: a measured space, prepared for many searches without its device.
//
//   const auto space = TRY(simulated_space(TRY(read_measured_space(path)), target));
//   space->space()                  as the file has it (stored_space.h)
//   space->candidate(trace, true)   what was measured, with its features; else why it is none
//
// Older files have only hashes of traces: their spaces are made again from the task, the target and
// the rule, and must have every measured point. A file from another version of the rule, or from a
// device with other facts, is rejected. Features are extracted from a point's program when first
// asked for, and cached: lowering takes milliseconds, and every run of every strategy asks for the
// same points. The default trace, which all runs begin with, costs as much as a usual point where
// it was measured while the campaign's processes were only starting. Thread-safe.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/record/export/measured_space.h"
#include "costmodel/saved_model.h"
#include "search/candidate.h"
#include "search/compare/simulate/recorded_results.h"
#include "search/compare/statistics/space_statistics.h"
#include "search/compare/strategy_curve.h"
#include "search/stop_condition.h"
#include "search/strategies/strategies.h"

namespace dovetail {

class SimulatedSpace {
 public:
  // Use simulated_space(), which checks that the arguments belong together.
  SimulatedSpace(Space space, MeasuredSpace measured, SpaceStatistics statistics);

  const Space& space() const { return space_; }
  const MeasuredSpace& measured() const { return measured_; }
  const SpaceStatistics& statistics() const { return statistics_; }
  const RecordedResults& results() const { return results_; }

  // Has no program, because nothing builds it, and features only on request.
  Result<Candidate> candidate(const KeyedTrace& trace, bool with_features) const;

 private:
  Result<std::shared_ptr<const KnownFeatures>> known(const Trace& trace,
                                                     const PointResult& point) const;

  Space space_;
  MeasuredSpace measured_;
  SpaceStatistics statistics_;
  RecordedResults results_;
  mutable std::mutex mutex_;                                         // guards known_
  mutable std::vector<std::shared_ptr<const KnownFeatures>> known_;  // by point; null: not yet
};

// Fails for an incomplete file, or for a point that the space made for this target lacks.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured,
                                                        const Target& target);
// For the target that the file describes.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured);

// With a given space.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(Space space, MeasuredSpace measured);

// simulate: a whole search on a measured space, without the device.
//
//   const SimulatedRun run = TRY(simulate(space, {.strategy = *parse_strategy("evolutionary"),
//                                                 .cost_model = "xgboost",
//                                                 .seed = 3,
//                                                 .trials = 200}));
//   run.evaluations      200 of them: what each took to measure, and the time it had
//
// It is the search that `tune` does, with the same tuner and the same rounds, but a LogRunner
// answers measurements, and candidates come from the space's table instead of being lowered. As in
// Kernel Tuner's simulation, a failed point is an evaluation like any other, and a repeated one
// costs neither time nor budget. There are no confirmations: a space has one time per point.

struct SimulationRequest {
  StrategySpec strategy;
  std::string cost_model = "none";
  const SavedModel* warm_start = nullptr;  // for cost models that learn; null: none
  const SavedAgent* agent = nullptr;       // for strategies that have one; null: none
  uint64_t seed = 0;
  int64_t trials = 0;
  bool default_first = true;  // trial 1 is the default trace, as in `tune`
  std::function<bool()> interrupted = [] { return false; };  // asked at each trial
};

struct SimulatedRun : RunToCompare {
  std::vector<uint64_t> traces;  // hashes, one per evaluation
  StopReason stop = StopReason::trials;
};

// Fails with an error of the strategy or the model, or if no trial was possible.
Result<SimulatedRun> simulate(const SimulatedSpace& space, const SimulationRequest& request);

}  // namespace dovetail
