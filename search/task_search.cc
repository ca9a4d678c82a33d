// SPDX-License-Identifier: Apache-2.0
#include "search/task_search.h"

#include "costmodel/cost_models.h"

namespace dovetail {

Result<TaskSearch> start_task_search(TaskSearchOptions options, Runner& runner, History history,
                                     TunerHooks hooks) {
  const Target& target = options.task.target;
  CandidateSources& sources = options.candidates;
  TaskSearch search;
  search.cost_model = TRY(
      make_cost_model(options.cost_model,
                      {.target = target, .seed = options.seed, .warm_start = options.warm_start}));
  if (options.judge_warm_start) {
    search.fresh_model =
        TRY(make_cost_model(options.cost_model, {.target = target, .seed = options.seed}));
  }
  search.scorer = std::make_unique<ModelScorer>(std::move(sources.scored), *search.cost_model,
                                                sources.scoring_threads);
  search.draft_model = TRY(make_cost_model("roofline", {.target = target}));
  search.draft = std::make_unique<ModelScorer>(std::move(sources.drafted), *search.draft_model,
                                               sources.scoring_threads);
  // Cost model `none` scores all traces alike, so the strategy gets no scorer.
  Scorer* const used = options.cost_model == "none" ? nullptr : search.scorer.get();
  search.strategy = TRY(make_strategy(options.strategy, {.space = options.space,
                                                         .seed = options.seed,
                                                         .scorer = used,
                                                         .draft = search.draft.get(),
                                                         .agent = options.agent}));
  search.proposer = std::make_unique<Proposer>(options.space, *search.strategy, *search.cost_model,
                                               used, std::move(sources.proposed));
  search.history = std::make_unique<History>(std::move(history));
  search.tuner =
      std::make_unique<Tuner>(std::move(options.task),
                              Tuner::Parts{*search.proposer, *search.strategy, *search.cost_model,
                                           runner, *search.history, search.fresh_model.get()},
                              options.tuner, std::move(hooks));
  return search;
}

}  // namespace dovetail
