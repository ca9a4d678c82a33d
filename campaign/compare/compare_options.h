// SPDX-License-Identifier: Apache-2.0
#pragma once

// CompareOptions: all that `compare` takes, and what its two kinds, simulated and live, share.

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
  std::vector<std::string> workloads = {};     // of a live comparison
  std::vector<std::string> shapes, constants;  // of models' inputs
  std::string target = "cpu";
  std::string strategies;
  std::string cost_model = "xgboost";                   // of strategies that do not say
  std::optional<int64_t> seeds;                         // how many; none: 20 simulated, 5 live
  uint64_t seed = 0;                                    // the first
  std::optional<int64_t> trials;                        // of a run; none: 1 % of a space, 200 live
  std::string simulate;                                 // folder of measured spaces; empty: live
  std::string train_on;                                 // the same, that what is `warm` learns from
  int64_t pretrain_trials = AgentPretraining().trials;  // of each, by an agent
  int64_t points = 50'000;                              // of spaces whose files do not say
  int64_t resamples = 1000;
  int64_t again = 8;  // passes over the best traces of live runs, at the end
  bool no_default = false;
  std::string folder;  // of logs of a live comparison, or of runs of one that was interrupted
};

// All runs, or why they ended before that.
struct RunsToCompare {
  ComparisonInput input;
  Ending ending = Ending::done;
};

// Fills in what is known before the first run.
Comparison about_comparison(const CompareOptions& options, int64_t seeds);

// Each says what a user should know as it goes on.
Result<RunsToCompare> runs_on_spaces(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener);
Result<RunsToCompare> runs_on_device(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener);

struct CompareOutcome {
  Comparison comparison;  // of one that was done
  Ending ending = Ending::done;
};

// Strategies side by side, on measured spaces or on a device; the error is bad input, or a run's.
Result<CompareOutcome> compare(const CompareOptions& options, const Listener& listener);

}  // namespace dovetail
