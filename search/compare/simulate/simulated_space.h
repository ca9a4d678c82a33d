// SPDX-License-Identifier: Apache-2.0
#pragma once

// SimulatedSpace: a measured space, made ready to be searched without its device, many times over.
//
//   const auto space = TRY(simulated_space(TRY(read_measured_space(path)), target));
//   space->space()                  as the file has it (stored_space.h)
//   space->candidate(trace, true)   what was measured, with its features; else why it is none
//
// Files of before have no traces, only their hashes: their spaces are made again from the task, the
// target and the rule, and every measured point must be one of them. One of another version of the
// rule, or of a device with other facts, is refused in one line. What a cost model sees of a point
// is read off its program when first asked for, and kept: lowering takes milliseconds, and every
// run of every strategy asks for the same points. Any number of threads may ask.

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
  // Use simulated_space(), which checks that they belong together.
  SimulatedSpace(Space space, MeasuredSpace measured, SpaceStatistics statistics);

  const Space& space() const { return space_; }
  const MeasuredSpace& measured() const { return measured_; }
  const SpaceStatistics& statistics() const { return statistics_; }
  const RecordedResults& results() const { return results_; }

  // Without a program: nothing builds it. Features only where they are asked for.
  Result<Candidate> candidate(const KeyedTrace& trace, bool with_features) const;

 private:
  Result<std::shared_ptr<const KnownFeatures>> known(const Trace& trace,
                                                     const PointResult& point) const;

  Space space_;
  MeasuredSpace measured_;
  SpaceStatistics statistics_;
  RecordedResults results_;
  mutable std::mutex mutex_;                                         // of known_
  mutable std::vector<std::shared_ptr<const KnownFeatures>> known_;  // by point; null: not yet
};

// An error: a file that is not whole, or a point that the space made for this target has not.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured,
                                                        const Target& target);
// The target whose facts the file has.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured);

// The same of a space that is there already.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(Space space, MeasuredSpace measured);

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
