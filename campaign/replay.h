// SPDX-License-Identifier: Apache-2.0
#pragma once

// replay: the best traces of a log, or a trace of one's own, run and checked again.
//
//   const Replay replay = TRY(run_again({.workloads = {"@nine.txt"}, .log = "tune.jsonl"}, {}));
//   replay.results[i].seconds      of replay.recorded.tasks[i]
//   run_again({.workloads = {"gmm:m=64,n=64,k=64"}, .trace_file = "mine.txt"}, {})

#include <string>
#include <vector>

#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

struct ReplayOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;
  std::string trace_file;  // instead of a log; "-": stdin
  bool strict = false;     // a task without an exact match is refused, before anything runs
  bool check = false;      // on other numbers than the campaign did
  std::string cache;       // campaign/cache_choice.h; empty: as the log's times are
  std::vector<std::string> shapes, constants;  // of models' inputs
  std::string border;
};

struct Replay {
  RecordedTasks recorded;
  std::vector<MeasureResult> results;  // of recorded.tasks; none when it was refused
  bool refused = false;                // as `strict` asks
  bool interrupted = false;
};

// An error is bad input, or a device that is not there.
Result<Replay> run_again(const ReplayOptions& options, const Listener& listener);

}  // namespace dovetail
