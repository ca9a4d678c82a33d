// SPDX-License-Identifier: Apache-2.0
#pragma once

// SimulatedSpace: a measured space, made ready to be searched without its device, many times over.
//
//   const auto space = TRY(simulated_space(TRY(read_measured_space(path)), target));
//   space->space()                  made again from the task, the target and the rule
//   space->candidate(trace, true)   what was measured, with its features; else why it is none
//
// The file has no traces, only their hashes, so the space is made again, and every measured point
// must be one of it: a file of another version of the rule, or of a device with other facts, is
// refused in one line. What a cost model sees of a point is read off its program when first asked
// for, and kept: lowering takes milliseconds, and every run of every strategy asks for the same
// points. Any number of threads may ask.

#include <memory>
#include <mutex>
#include <vector>

#include "core/record/export/measured_space.h"
#include "search/candidate.h"
#include "search/compare/simulate/recorded_results.h"
#include "search/compare/statistics/space_statistics.h"

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

// An error: a point that the space made for this target has not.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured,
                                                        const Target& target);
// The target whose facts the file has.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured);

// The same of a space that is there already.
Result<std::unique_ptr<SimulatedSpace>> simulated_space(Space space, MeasuredSpace measured);

}  // namespace dovetail
