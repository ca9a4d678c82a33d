// SPDX-License-Identifier: Apache-2.0
#pragma once

// TuneOptions: what a campaign is asked to do.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/option_table.h"
#include "campaign/workloads.h"

namespace dovetail {

struct TuneOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::optional<int64_t> trials;        // a task; none: trials_of_a_task() says
  std::optional<double> seconds;        // a task
  std::optional<int64_t> patience;      // trials without a better one
  std::string schedule = "in_turn";     // of tasks; or gradient (search/scheduler.h)
  std::optional<int64_t> total_trials;  // of gradient: what all tasks share
  std::optional<double> total_seconds;  // likewise
  std::string strategy = "dovetail";
  std::string variant = "joint";
  std::string layout;                    // of loop_only
  bool exact = false;                    // only algorithms that round as the definition's sum does
  std::optional<double> max_error = {};  // of the others; campaign/accuracy/accuracy_rule.h
  std::string inputs;                    // of a model: folder of what it is run on; empty: random
  std::string cost_model = "none";
  std::string warm_start;  // file of a saved model; empty: none
  std::string save_model;  // file to write; empty: none
  std::string agent;       // file of a saved agent; empty: none
  std::string save_agent;  // file to write; the agent goes from task to task; empty: none
  uint64_t seed = 0;
  std::string log;
  bool resume = false;
  bool append = false;
  bool no_default = false;                // trial 1 is the strategy's, not the default trace
  std::string cache;                      // campaign/cache_choice.h; empty: by the workload
  std::vector<std::string> results_from;  // logs that answer instead of a device; empty: a device
  std::vector<std::string> shapes;        // NAME=1,3,224,224: of a model's dynamic inputs
  std::vector<std::string> constants;     // NAME=16000: inputs of a model that are held there
  std::string border;                     // framework, or a file; empty: as tasks state it
  std::string space = "whole";            // or reduced (primitives/space/reduced_space.h)
  int64_t points = 50'000;                // of a reduced space, at most

  // These are no options of a command line.
  std::string experiment;  // the text of --experiment FILE.json, for the header
  int64_t finalists = 5;   // of the best, measured again
};

inline Variant variant_of(const TuneOptions& options) {
  return {.name = options.variant, .layout = options.layout};
}

// The limit of one task: where tasks share a budget it has none of its own unless one is given.
int64_t trials_of_a_task(const TuneOptions& options);

std::span<const Option<TuneOptions>> tune_option_table();

// The error names options that exclude or need each other, and values that no version has.
Result<void> check(const TuneOptions& options);

}  // namespace dovetail
