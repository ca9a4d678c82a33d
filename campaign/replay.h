// SPDX-License-Identifier: Apache-2.0
#pragma once

// replay: the best traces of a log, run and checked again.
//
//   const Replay replay = TRY(replay_log({.workloads = {"@nine.txt"}, .log = "tune.jsonl"}, {}));
//   replay.results[i].seconds      of replay.recorded.tasks[i]

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
  bool strict = false;  // a task without an exact match is refused, before anything runs
  bool check = false;   // on other numbers than the campaign did
  std::vector<std::string> shapes;
  std::string border;
};

struct Replay {
  RecordedTasks recorded;
  std::vector<MeasureResult> results;  // of recorded.tasks; none when it was refused
  bool refused = false;                // as `strict` asks
  bool interrupted = false;
};

// An error is bad input, or a device that is not there.
Result<Replay> replay_log(const ReplayOptions& options, const Listener& listener);

}  // namespace dovetail
