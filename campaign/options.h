// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of each verb, as the command line gives them. tools/command_line/VERB.cc turns
// arguments into one of these; tools/VERB.cc does the work. Every field has the default that --help
// shows. (`log` has its own in tools/verbs/log_verbs.h.)

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/compare/simulate/pretrained_agent.h"

namespace dovetail {

struct TuneOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  int64_t trials = 1000;                // a task
  std::optional<double> seconds;        // a task
  std::optional<int64_t> patience;      // trials without a better one
  std::string schedule = "in_turn";     // of tasks; or gradient (search/scheduler.h)
  std::optional<int64_t> total_trials;  // of gradient: what all tasks share
  std::optional<double> total_seconds;  // likewise
  std::string strategy = "dovetail";
  std::string variant = "joint";
  std::string layout;  // of loop_only
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
  bool cold = false;                      // operands out of the caches before every timed run
  std::vector<std::string> results_from;  // logs that answer instead of a device; empty: a device
  std::string experiment;                 // the text of --experiment FILE.json
  std::vector<std::string> shapes;        // NAME=1,3,224,224: of a model's dynamic inputs
  bool json = false;
  std::vector<std::string> arguments;  // as given, for the resume command
  std::string space = "whole";         // or reduced (primitives/space/reduced_space.h)
  int64_t points = 50'000;             // of a reduced space, at most
  int64_t finalists = 5;               // of the best, measured again
};

struct BruteforceOptions {
  std::string spec;
  std::string target = "cpu";
  std::string space = "reduced";
  int64_t points = 50'000;  // at most
  std::string folder;
  bool json = false;
};

struct PretrainOptions {
  std::vector<std::string> spaces;             // files, or folders of folders with one each
  int64_t trials = AgentPretraining().trials;  // of each space
  int64_t hidden = AgentPretraining().hidden;  // width of the networks' layers
  std::string without;                         // operator to leave out; empty: none
  uint64_t seed = 0;
  std::string output;
  bool json = false;
};

struct ReplayOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;
  bool strict = false;
  bool check = false;
  std::vector<std::string> shapes;
  bool json = false;
};

struct BenchOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;                   // "none": default traces
  std::vector<std::string> against;  // peers by name, and files; empty: all peers; "none"
  std::vector<std::string> beside;   // NAME=LOG: the best of other logs
  std::string save;                  // rows are kept here as they are measured
  std::vector<std::string> shapes;
  bool json = false;
};

struct ShowOptions {
  std::string what_of;  // a spec, a record or a model
  std::string what = "nest";
  std::optional<std::string> target;  // of a record: the record's, unless given
  std::string trace_file;
  std::vector<std::string> shapes;
  bool json = false;
};

struct ReportOptions {
  std::vector<std::string> inputs;  // logs, or the folder of one comparison
  std::string output;
  bool follow = false;
  int64_t every_seconds = 5;  // of --follow
  std::string results;        // what tune --json or bench --json printed; empty: none
  std::string figures;        // folder; empty: none
  bool json = false;
};

struct DoctorOptions {
  std::string profile;                // write the device's limits to this file
  std::optional<std::string> target;  // whose limits
  bool json = false;
};

}  // namespace dovetail
