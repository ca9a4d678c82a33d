// SPDX-License-Identifier: Apache-2.0
#pragma once

// log_stats says what a log has about each of its tasks (core/record/statistics/task_stats.h);
// check_log says whether it is sound.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/log/log.h"
#include "core/record/statistics/task_stats.h"

namespace dovetail {

// One entry for each task of each campaign, in the order of the file. What is given may be part of
// a log. A best trial is the one that best_record would take.
std::vector<TaskStats> log_stats(std::span<const Record> records,
                                 std::span<const RoundRecord> rounds = {});

// Lines that a reader would not use, and trials that are missing.
struct LogCheck {
  std::string path;
  int64_t num_lines = 0;
  int64_t num_campaigns = 0;
  int64_t num_distilled =
      0;  // campaigns of which `log distill` left a part: no gaps are looked for
  int64_t num_trials = 0;
  int64_t num_other_records = 0;      // sentinels and confirmations
  int64_t num_rounds = 0;             // how well the cost model ordered them
  int64_t num_networks = 0;           // that measurements chose
  int64_t num_unknown = 0;            // lines of kinds that this version does not know
  std::vector<LogWarning> bad_lines;  // all but an unfinished last one
  bool torn = false;                  // an unfinished last line: normal after a kill, no damage
  std::vector<std::string> gaps;      // "campaign 1, gmm:...: trial 5 is missing"
  bool sound() const { return bad_lines.empty() && gaps.empty(); }
};

// An error when the file cannot be read as a log at all.
Result<LogCheck> check_log(const std::string& path);

}  // namespace dovetail
