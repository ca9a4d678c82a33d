// SPDX-License-Identifier: Apache-2.0
#pragma once

// Progress: state of the campaign of one task, as a progress bar shows it.
//
//   trials 120/300, valid 117, failed timeout 2 wrong_output 1, best 0.00085 s, 12 s left
//
// Data only: how it looks is up to the program (tools/progress_bar.h), so that a terminal, a log
// line and a test see the same numbers.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/record/line/measure_result.h"

namespace dovetail {

enum class Phase { measuring, confirming };

struct Progress {
  std::string task;  // its name
  Phase phase = Phase::measuring;
  int64_t trials = 0;  // trials with a result
  int64_t max_trials = 0;
  int64_t valid = 0;
  int64_t rejected = 0;  // proposals that were illegal or repeated
  // Rejected in the round that is being proposed, and the most there may be.
  int64_t misses = 0, most_misses = 0;
  std::map<Status, int64_t> failed;
  std::optional<double> default_seconds;
  std::optional<double> best_seconds;
  std::optional<int64_t> best_trial;
  std::string best_algorithm;               // "direct", "winograd", …; empty: no best yet
  double elapsed_seconds = 0;               // spent on this task
  std::optional<double> max_seconds;        // limit of `elapsed_seconds`; none: there is none
  std::optional<double> remaining_seconds;  // empty until it can be estimated
};

using ProgressListener = std::function<void(const Progress&)>;

// Time left, from the pace of the trials that this process measured. Capped by `seconds_left`, the
// rest of the time limit, which alone is returned before the fifth trial: the first ones wait for
// workers to start and for the reference.
inline std::optional<double> estimate_remaining_seconds(int64_t measured_here, double seconds_here,
                                                        int64_t trials_left,
                                                        std::optional<double> seconds_left) {
  constexpr int64_t kEnough = 5;
  if (seconds_left) seconds_left = std::max(*seconds_left, 0.0);
  if (measured_here < kEnough) return seconds_left;
  const double seconds =
      seconds_here / static_cast<double>(measured_here) * static_cast<double>(trials_left);
  return seconds_left ? std::min(seconds, *seconds_left) : seconds;
}

}  // namespace dovetail
