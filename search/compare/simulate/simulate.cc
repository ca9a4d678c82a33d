// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/simulate.h"

#include <fmt/format.h>

#include "search/compare/simulate/recorded_results.h"
#include "search/compare/simulate/space_from_records.h"
#include "search/task_search.h"

namespace dovetail {
namespace {

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

}  // namespace

Result<SimulatedRun> simulate(const SimulatedSpace& space, const SimulationRequest& request) {
  // `none` looks at nothing: then a point is lowered only if the strategy drafts.
  const bool has_model = request.cost_model != "none";
  const MakeCandidate make = [&](const KeyedTrace& trace) {
    return space.candidate(trace, has_model);
  };
  const MakeCandidate lower = [&](const KeyedTrace& trace) { return space.candidate(trace, true); };
  LogRunner runner(space.results(), /*start_seconds=*/0);
  SimulatedRun run;
  History history({}, [&run](const Record& record) -> Result<void> {
    add(record, run);
    run.traces.push_back(hash(TRY(parse_trace(record.trace))));
    return {};
  });
  TunerHooks hooks;
  hooks.elapsed_seconds = [&runner] { return runner.seconds(); };
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
  if (run.evaluations.empty()) {
    return fail(fmt::format("strategy {} proposed nothing of the measured space of {}: {}",
                            print(request.strategy), space.measured().task, summary.failure));
  }
  return run;
}

}  // namespace dovetail
