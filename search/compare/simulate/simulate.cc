// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "costmodel/cost_models.h"
#include "search/compare/simulate/log_runner.h"
#include "search/compare/simulate/space_from_records.h"
#include "search/tuner.h"

namespace dovetail {
namespace {

TuneTask task_of(const SimulatedSpace& space, const SimulationRequest& request) {
  Record prototype;
  prototype.task = space.measured().task;
  prototype.target = space.measured().target;
  prototype.strategy = print(request.strategy);
  prototype.seed = request.seed;
  return {.name = prototype.task,
          .op = space.space().op(),
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
  const auto cost_model = TRY(make_cost_model(
      request.cost_model,
      {.target = space.space().target(), .seed = request.seed, .warm_start = request.warm_start}));
  ModelScorer scorer(make, *cost_model);
  Scorer* const used = has_model ? &scorer : nullptr;
  const auto draft_model = TRY(make_cost_model("roofline", {.target = space.space().target()}));
  ModelScorer draft([&](const Trace& trace) { return space.candidate(trace, true); }, *draft_model);
  const auto strategy = TRY(
      make_strategy(request.strategy, {space.space(), request.seed, used, &draft, request.agent}));
  Proposer proposer(space.space(), *strategy, *cost_model, used, make);
  LogRunner runner(space.results(), /*start_seconds=*/0);
  SimulatedRun run;
  History history({}, [&run](const Record& record) -> Result<void> {
    add(record, run);
    run.traces.push_back(hash(TRY(parse_trace(record.trace))));
    return {};
  });
  TunerHooks hooks;
  hooks.elapsed_seconds = [&runner] { return runner.seconds(); };
  Tuner tuner(task_of(space, request), {proposer, *strategy, *cost_model, runner, history},
              options_of(request), std::move(hooks));
  const TuneSummary summary = TRY(tuner.run());
  run.rejected = summary.stats.rejected;
  run.stop = summary.stop;
  if (run.evaluations.empty()) {
    return fail(fmt::format("strategy {} proposed nothing of the measured space of {}: {}",
                            print(request.strategy), space.measured().task, summary.failure));
  }
  return run;
}

}  // namespace dovetail
