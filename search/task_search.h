// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskSearch: everything that searches one task, wired together: the cost model, the scorers, the
// strategy, the proposer, the history and the tuner over them.
//
//   TaskSearch search = TRY(start_task_search({.task = task,
//                                              .space = space,
//                                              .strategy = *parse_strategy("evolutionary"),
//                                              .cost_model = "xgboost",
//                                              .seed = 3,
//                                              .candidates = {lower, lower, lower}},
//                                             runner, History({}, append), hooks));
//   const TuneSummary summary = TRY(search.tuner->run());
//
// A campaign and a simulation build the same search here. They differ in the runner (a device, or
// records of one) and in the source of candidates (lowering, or a table).

#include <cstdint>
#include <memory>
#include <string>

#include "core/record/runner.h"
#include "costmodel/cost_models.h"
#include "costmodel/saved_model.h"
#include "primitives/space/space.h"
#include "search/candidate.h"
#include "search/history.h"
#include "search/proposer.h"
#include "search/scorer.h"
#include "search/strategies/strategies.h"
#include "search/strategy.h"
#include "search/tuner.h"

namespace dovetail {

struct CandidateSources {
  MakeCandidate proposed;      // for measurement
  MakeCandidate scored;        // for the strategy's queries to the cost model
  MakeCandidate drafted;       // for its queries to the analytic model
  size_t scoring_threads = 1;  // threads that call the latter two; 0: one for each core
};

struct TaskSearchOptions {
  TuneTask task;
  const Space& space;
  StrategySpec strategy;
  std::string cost_model = "none";
  uint64_t seed = 0;
  const SavedModel* warm_start = nullptr;  // for cost models that learn; null: none
  bool judge_warm_start = false;           // compare with a model that began without it
  const SavedAgent* agent = nullptr;       // for strategies that have one; null: none
  CandidateSources candidates;
  TunerOptions tuner = {};
};

// Each member refers to members before it.
struct TaskSearch {
  std::unique_ptr<CostModel> cost_model;
  std::unique_ptr<CostModel> fresh_model;  // null unless a warm start is judged
  std::unique_ptr<ModelScorer> scorer;
  std::unique_ptr<CostModel> draft_model;  // the analytic one
  std::unique_ptr<ModelScorer> draft;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Proposer> proposer;
  std::unique_ptr<History> history;
  std::unique_ptr<Tuner> tuner;
};

// The space, the runner, the warm start and the agent must outlive the search. An error is the
// strategy's or the cost model's.
Result<TaskSearch> start_task_search(TaskSearchOptions options, Runner& runner, History history,
                                     TunerHooks hooks);

}  // namespace dovetail
