// SPDX-License-Identifier: Apache-2.0
#pragma once

// TuneOptions: the options of a campaign.

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
  std::optional<int64_t> trials;        // per task; none: trials_of_a_task()
  std::optional<double> seconds;        // per task
  std::optional<int64_t> patience;      // trials without a new best
  std::string schedule = "in_turn";     // in_turn, or gradient (search/scheduler.h)
  std::optional<int64_t> total_trials;  // gradient: budget of all tasks together
  std::optional<double> total_seconds;  // likewise
  std::string strategy = "dovetail";
  std::string variant = "joint";
  std::string layout;                    // no_layouts, loop_only: the fixed one
  bool exact = false;                    // only algorithms that round as the definition's sum does
  std::optional<double> max_error = {};  // for other algorithms; campaign/accuracy/accuracy_rule.h
  std::string inputs;                    // folder with a model's inputs; empty: random ones
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
  std::vector<std::string> shapes;        // NAME=1,3,224,224: a model's dynamic inputs
  std::vector<std::string> constants;     // NAME=16000: value that a model's input is fixed at
  std::string border;                     // framework, or a file; empty: as tasks state it
  std::string space = "whole";            // or reduced (primitives/space/reduced_space.h)
  int64_t points = 50'000;                // at most, in a reduced space

  // Not options of a command line:
  std::string experiment;  // the text of --experiment FILE.json, for the header
  int64_t finalists = 5;   // best candidates, measured again at the end
};

inline Variant variant_of(const TuneOptions& options) {
  return {.name = options.variant, .layout = options.layout};
}

// The trial limit of one task; where tasks share a budget there is none unless one is given.
int64_t trials_of_a_task(const TuneOptions& options);

std::span<const Option<TuneOptions>> tune_option_table();

// Fails on options that exclude or need each other, and on unknown values.
Result<void> check(const TuneOptions& options);

}  // namespace dovetail
