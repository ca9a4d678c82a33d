// SPDX-License-Identifier: Apache-2.0
#pragma once

// replay: runs and checks the best traces of a log, or a given trace, again.
//
//   const Replay replay = TRY(run_again({.workloads = {"@nine.txt"}, .log = "tune.jsonl"}, {}));
//   replay.results[i].seconds      of replay.recorded.tasks[i]
//   run_again({.workloads = {"gmm:m=64,n=64,k=64"}, .trace_file = "mine.txt"}, {})

#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"
#include "core/record/line/measure_result.h"
#include "core/record/statistics/network_total.h"

namespace dovetail {

struct ReplayOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;
  std::string trace_file;  // instead of a log; "-": stdin
  bool strict = false;     // refuse to run if a task has no exact match
  bool check = false;      // use other input data than the campaign did
  std::string cache;       // campaign/cache_choice.h; empty: that of the log's times
  std::vector<std::string> shapes, constants;  // for models' inputs
  std::string border;
};

struct Replay {
  RecordedTasks recorded;
  std::vector<MeasureResult> results;  // one per recorded.tasks; empty if refused
  bool refused = false;                // `strict`, and a task has no exact match
  bool interrupted = false;
};

// None for a task whose candidate failed.
std::optional<double> seconds_of(const MeasureResult& result);
// The whole network's time, where the tasks are a model's.
std::vector<NetworkTotal> networks_of(const Replay& replay);

// Errors: bad input, or a missing device.
Result<Replay> run_again(const ReplayOptions& options, const Listener& listener);

}  // namespace dovetail
