// SPDX-License-Identifier: Apache-2.0
#pragma once

// Listener: who is told what goes on while a campaign, a comparison or a bench runs, and who says
// when it is enough. The library prints nothing: a program draws a bar, a service may write a log.
//
//   run_campaign(plan, {.note = [](const std::string& line) { std::cerr << line << "\n"; }});
//
// Everything that is left out does nothing, and nobody interrupts.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "search/progress.h"

namespace dovetail {

// SharedBudget: what several tasks share, and how much of it is spent.
struct SharedBudget {
  int64_t trials = 0;  // of all tasks
  std::optional<int64_t> max_trials = {};
  double seconds = 0;  // likewise
  std::optional<double> max_seconds = {};
};

// TaskTurn says which task of a campaign has its turn.
struct TaskTurn {
  size_t number = 1;  // from 1
  size_t count = 1;   // of all tasks
  double nominal_flops = 0;
  std::optional<double> peak_gflops;
  std::optional<SharedBudget> shared = {};  // with the others: the time left is that of all
};

struct Listener {
  // A message for people, without a line feed.
  std::function<void(const std::string& line)> note = [](const std::string&) {};
  // Whether to stop, asked often; everything measured is saved then.
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(const TaskTurn& turn, const Progress& progress)> progress =
      [](const TaskTurn&, const Progress&) {};
  // The task of the last progress is done.
  std::function<void()> task_done = [] {};
};

// How something that can be interrupted ended.
enum class Ending { done, interrupted, device_lost };

}  // namespace dovetail
