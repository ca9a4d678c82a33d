// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/simulated_space.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/fail.h"
#include "primitives/space/reduced_space.h"
#include "search/compare/score.h"
#include "search/compare/simulate/recorded_results.h"
#include "search/compare/simulate/space_from_records.h"
#include "search/compare/simulate/stored_space.h"
#include "search/strategies/points/points.h"
#include "search/task_search.h"

namespace dovetail {
namespace {

RecordedResults results_of(const MeasuredSpace& measured) {
  RecordedResults results("the measured space");
  results.add(measured);
  return results;
}

Result<Space> made_again(const MeasuredSpace& measured, const Target& target, RowAxes rows) {
  if (measured.space != "reduced")
    return fail("a measured space by the rule '{}', expected reduced", measured.space);
  const Space whole =
      TRY(build_space(TRY(parse_task_spec(measured.task)), target, std::nullopt, rows));
  const ReducedSpaceOptions defaults;
  return reduced_space(whole, measured.most_points > 0 ? at_most(measured.most_points) : defaults);
}

// Every measured point must be one of the space.
Result<void> check_points(const Space& space, const MeasuredSpace& measured) {
  std::unordered_set<uint64_t> left;
  for (const PointResult& point : measured.points) left.insert(point.trace_hash);
  for (std::optional<Point> at = first_point(space); at && !left.empty();
       at = next_point(space, std::move(*at)))
    left.erase(hash(space.decode(*at)));
  if (left.empty()) return {};
  return fail(
      "{} of {} points measured on {} are not in the {} space of {} that this version "
      "makes for that target, expected all of them",
      left.size(), measured.points.size(), measured.target, measured.space, measured.task);
}

TuneTask task_of(const SimulatedSpace& space, const SimulationRequest& request) {
  Record prototype;
  prototype.task = space.measured().task;
  prototype.target = space.measured().target;
  prototype.strategy = print(request.strategy);
  prototype.seed = request.seed;
  return {.name = prototype.task,
          .spec = space.space().spec(),
          .target = space.space().target(),
          .prototype = prototype};
}

TunerOptions options_of(const SimulationRequest& request) {
  return {.stop = {.max_trials = request.trials},
          .default_first = request.default_first,
          .sentinel_every = 0,
          .finalists = 0};
}

void add(const Record& record, SimulatedRun& run) {
  run.evaluations.push_back(evaluation_of(record.result));
  run.search_seconds += record.result.times.search_seconds;
  run.model_seconds += record.result.times.model_seconds;
}

double cost_of(const PointResult& point) {
  return point.build_seconds + point.check_seconds + point.run_seconds;
}

// Every run begins with the default trace. A campaign builds it first, by processes that are only
// starting: on a busy machine that took longer than whole budgets, and no run had a score. Then it
// costs what a usual point does.
Result<void> bound_cost_of_default(const Space& space, MeasuredSpace& measured) {
  const PointResult* found = measured.find(hash(space.default_trace()));
  if (found == nullptr) return {};
  const SpaceStatistics statistics = TRY(space_statistics(evaluations_of(measured)));
  const Result<Budget> budget = comparison_budget(statistics, ScoreOptions().budget);
  const double own = cost_of(*found);
  if (!budget || 2 * own <= budget->last_seconds) return {};
  PointResult& point = measured.points[static_cast<size_t>(found - measured.points.data())];
  for (double* seconds : {&point.build_seconds, &point.check_seconds, &point.run_seconds})
    *seconds *= std::min(1.0, statistics.median_cost_seconds / own);
  return {};
}

Result<std::unique_ptr<SimulatedSpace>> of_checked(Space space, MeasuredSpace measured) {
  TRY(bound_cost_of_default(space, measured));
  SpaceStatistics statistics = TRY(space_statistics(evaluations_of(measured)));
  return std::make_unique<SimulatedSpace>(std::move(space), std::move(measured),
                                          std::move(statistics));
}

}  // namespace

SimulatedSpace::SimulatedSpace(Space space, MeasuredSpace measured, SpaceStatistics statistics)
    : space_(std::move(space)),
      measured_(std::move(measured)),
      statistics_(std::move(statistics)),
      results_(results_of(measured_)),
      known_(measured_.points.size()) {}

Result<Candidate> SimulatedSpace::candidate(const KeyedTrace& trace, bool with_features) const {
  const PointResult* point = measured_.find(trace.key);
  if (point == nullptr || point->status == Status::worker_lost)
    return fail("the trace is not in the measured space");
  Candidate candidate{.trace = trace, .program = {}};
  if (with_features) candidate.known = TRY(known(trace, *point));
  return candidate;
}

Result<std::shared_ptr<const KnownFeatures>> SimulatedSpace::known(const Trace& trace,
                                                                   const PointResult& point) const {
  const auto index = static_cast<size_t>(&point - measured_.points.data());
  {
    const std::scoped_lock lock(mutex_);
    if (known_[index]) return known_[index];
  }
  // Outside the lock: two threads that ask for one point at once compute the same.
  const Candidate lowered = TRY(materialize(space_.spec(), space_.target(), trace));
  auto found = std::make_shared<const KnownFeatures>(know(lowered.program, space_.target()));
  const std::scoped_lock lock(mutex_);
  known_[index] = found;
  return std::shared_ptr<const KnownFeatures>(std::move(found));
}

Result<std::unique_ptr<SimulatedSpace>> simulated_space(Space space, MeasuredSpace measured) {
  TRY(check_points(space, measured));
  return of_checked(std::move(space), std::move(measured));
}

Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured,
                                                        const Target& target) {
  if (has_stored_space(measured)) {
    Space stored = TRY(stored_space(measured, target));
    return of_checked(std::move(stored), std::move(measured));
  }
  Space space = TRY(made_again(measured, target, RowAxes::merged));
  const Result<void> is_of_now = check_points(space, measured);
  if (is_of_now) return of_checked(std::move(space), std::move(measured));
  Space before = TRY(made_again(measured, target, RowAxes::apart));
  if (!check_points(before, measured)) return fail(is_of_now.error().message);
  return of_checked(std::move(before), std::move(measured));
}

Result<std::unique_ptr<SimulatedSpace>> simulated_space(MeasuredSpace measured) {
  if (measured.device.empty()) {
    return fail("the measured space of {} does not say what its device {} is like", measured.task,
                measured.target);
  }
  const Target target = TRY(parse_target(measured.device));
  return simulated_space(std::move(measured), target);
}

Result<SimulatedRun> simulate(const SimulatedSpace& space, const SimulationRequest& request) {
  // Cost model `none` needs no features: then a point is lowered only if the strategy drafts.
  const bool has_model = request.cost_model != "none";
  const MakeCandidate make = [&](const KeyedTrace& trace) {
    return space.candidate(trace, has_model);
  };
  const MakeCandidate lower = [&](const KeyedTrace& trace) { return space.candidate(trace, true); };
  LogRunner runner(space.results(), /*start_seconds=*/0);
  SimulatedRun run;
  History history({}, [&run](const Record& record) -> Result<void> {
    add(record, run);
    run.traces.push_back(hash(TRY(record.trace.value())));
    return {};
  });
  TunerHooks hooks;
  hooks.elapsed_seconds = [&runner] { return runner.seconds(); };
  hooks.interrupted = request.interrupted;
  const TaskSearch search =
      TRY(start_task_search({.task = task_of(space, request),
                             .space = space.space(),
                             .strategy = request.strategy,
                             .cost_model = request.cost_model,
                             .seed = request.seed,
                             .warm_start = request.warm_start,
                             .agent = request.agent,
                             .candidates = {.proposed = make, .scored = make, .drafted = lower},
                             .tuner = options_of(request)},
                            runner, std::move(history), std::move(hooks)));
  const TuneSummary summary = TRY(search.tuner->run());
  run.rejected = summary.stats.rejected;
  run.stop = summary.stop;
  if (run.evaluations.empty() && run.stop != StopReason::interrupted) {
    return fail("strategy {} proposed nothing of the measured space of {}: {}",
                print(request.strategy), space.measured().task, summary.failure);
  }
  return run;
}

}  // namespace dovetail
