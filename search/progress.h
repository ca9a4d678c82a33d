// SPDX-License-Identifier: Apache-2.0
#pragma once

// Progress: where the campaign of one task stands; what a progress bar draws.
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
  int64_t trials = 0;  // with a result
  int64_t max_trials = 0;
  int64_t valid = 0;
  int64_t rejected = 0;  // proposals that were illegal or repeated
  std::map<Status, int64_t> failed;
  std::optional<double> default_seconds;
  std::optional<double> best_seconds;
  std::optional<int64_t> best_trial;
  std::string best_algorithm;               // "direct", "winograd", …; empty: no best yet
  double elapsed_seconds = 0;               // of the campaign
  std::optional<double> remaining_seconds;  // nothing until there is something to go by
};

using ProgressListener = std::function<void(const Progress&)>;

// Time left, from the trials measured since this process started; nothing before the fifth of them,
// as the first wait for workers to start and for the reference.
// `max_seconds` caps it: a campaign ends at its time limit, whatever the number of trials.
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
