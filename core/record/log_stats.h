// SPDX-License-Identifier: Apache-2.0
#pragma once

// log_stats: what a log says about each of its tasks, and check_log: whether it is sound.
//
//   campaign 1, gmm:m=512,n=512,k=512 on cpu: 300 trials, 281 valid, 12 timeout, 7 wrong_output,
//   default 1.31 ms, median 2.20 ms, best 1.01 ms (trial 214)
//
// The counts are over trials; sentinels and confirmations have their own.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/log.h"
#include "core/record/round_stats.h"

namespace dovetail {

// One task of one campaign.
struct TaskStats {
  int64_t campaign = 1;
  std::string task;
  std::string target;
  int64_t trials = 0;
  int64_t valid = 0;
  int64_t rejected = 0;                   // proposals that were illegal or had been tried
  std::map<Status, int64_t> failed;       // by status; without ok
  std::optional<double> default_seconds;  // of the default trace; of valid trials:
  std::optional<double> median_seconds;
  std::optional<double> best_seconds;
  int64_t best_trial = 0;  // 0 when none is valid
  int64_t confirmations = 0;
  int64_t sentinels = 0;
  std::optional<double>
      sentinel_spread;              // slowest / fastest - 1 over valid sentinels, if two or more
  MeasureTimes times;               // sums over all lines
  double elapsed_seconds = 0;       // of its last line
  std::optional<RoundStats> model;  // none without a cost model
  friend bool operator==(const TaskStats&, const TaskStats&) = default;
};

// One entry for each task of each campaign, in the order of the file. What is given may be part of
// a log. A best trial is the one that best_record would take.
std::vector<TaskStats> log_stats(std::span<const Record> records,
                                 std::span<const RoundRecord> rounds = {});

// What a reader would not use, and what is missing.
struct LogCheck {
  std::string path;
  int64_t num_lines = 0;
  int64_t num_campaigns = 0;
  int64_t num_distilled =
      0;  // campaigns of which `log distill` left a part: no gaps are looked for
  int64_t num_trials = 0;
  int64_t num_other_records = 0;      // sentinels and confirmations
  int64_t num_rounds = 0;             // how well the cost model ordered them
  int64_t num_unknown = 0;            // lines of kinds that this version does not know
  std::vector<LogWarning> bad_lines;  // all but an unfinished last one
  bool torn = false;                  // an unfinished last line: normal after a kill, no damage
  std::vector<std::string> gaps;      // "campaign 1, gmm:...: trial 5 is missing"
  bool sound() const { return bad_lines.empty() && gaps.empty(); }
};

// An error when the file cannot be read as a log at all.
Result<LogCheck> check_log(const std::string& path);

}  // namespace dovetail
