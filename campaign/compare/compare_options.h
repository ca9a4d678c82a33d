// SPDX-License-Identifier: Apache-2.0
#pragma once

// CompareOptions: the options of `compare`, and what its simulated and live kinds share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "search/compare/arms.h"
#include "search/compare/compare_runs.h"
#include "search/compare/simulate/pretrained.h"

namespace dovetail {

struct CompareOptions {
  std::vector<std::string> workloads = {};     // live comparisons only
  std::vector<std::string> shapes, constants;  // for models' inputs
  std::string target = "cpu";
  std::vector<std::string> strategies;                  // each may be several, separated by commas
  std::string cost_model = "xgboost";                   // for strategies that name none
  std::optional<int64_t> seeds;                         // how many; none: 20 simulated, 5 live
  uint64_t seed = 0;                                    // the first
  std::optional<int64_t> trials;                        // per run; none: 1 % of a space, 200 live
  std::string simulate;                                 // folder of measured spaces; empty: live
  std::string train_on;                                 // likewise; source of @warm starts
  int64_t pretrain_trials = AgentPretraining().trials;  // per space, for an agent
  int64_t points = 50'000;                              // for spaces whose files do not record it
  int64_t resamples = 1000;
  int64_t again = 8;  // passes over the best traces of live runs, at the end
  bool no_default = false;
  std::string folder;  // logs of a live comparison; saved runs of an interrupted simulated one
};

// All runs, or why they are incomplete.
struct RunsToCompare {
  ComparisonInput input;
  Ending ending = Ending::done;
};

// Fills in what is known before the first run.
Comparison about_comparison(const CompareOptions& options, int64_t seeds);

// Both note their progress.
Result<RunsToCompare> runs_on_spaces(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener);
Result<RunsToCompare> runs_on_device(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener);

struct CompareOutcome {
  Comparison comparison;  // set if `ending` is done
  Ending ending = Ending::done;
};

// Compares strategies on measured spaces or on a device. Errors: bad input, or a failed run.
Result<CompareOutcome> compare(const CompareOptions& options, const Listener& listener);

}  // namespace dovetail
