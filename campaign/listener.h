// SPDX-License-Identifier: Apache-2.0
#pragma once

// Listener: callbacks that report progress of a campaign, a comparison or a bench, and can stop it.
// The library prints nothing: a program draws a bar, a service may write a log.
//
//   run_campaign(plan, {.note = [](const std::string& line) { std::cerr << line << "\n"; }});
//
// Callbacks that are not set do nothing, and `interrupted` is false.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "search/progress.h"

namespace dovetail {

// SharedBudget: a budget that several tasks share, and the part already spent.
struct SharedBudget {
  int64_t trials = 0;  // spent by all tasks
  std::optional<int64_t> max_trials = {};
  double seconds = 0;  // likewise
  std::optional<double> max_seconds = {};
};

// TaskTurn: the task of a campaign that is being tuned.
struct TaskTurn {
  size_t number = 1;  // from 1
  size_t count = 1;   // number of tasks
  double nominal_flops = 0;
  std::optional<double> peak_gflops;        // none: not known, or no product that it applies to
  bool is_from_logs = false;                // no device answers, so that many proposals are misses
  std::optional<SharedBudget> shared = {};  // set: the remaining time is that of all tasks
};

struct Listener {
  // A message for people, without a line feed.
  std::function<void(const std::string& line)> note = [](const std::string&) {};
  // Polled often; true stops the work, and everything measured is saved.
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(const TaskTurn& turn, const Progress& progress)> progress =
      [](const TaskTurn&, const Progress&) {};
  // The task of the last progress() call is done.
  std::function<void()> task_done = [] {};
};

// How something that can be interrupted ended.
enum class Ending { done, interrupted, device_lost };

}  // namespace dovetail
