// SPDX-License-Identifier: Apache-2.0
#pragma once

// log_stats summarizes each task of a log (core/record/statistics/task_stats.h); check_log checks a
// log's integrity.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/log/log.h"
#include "core/record/statistics/task_stats.h"

namespace dovetail {

// One entry per task and campaign, in the order of the file. The input may be part of a log. The
// best trial is the one that best_record would select.
std::vector<TaskStats> log_stats(std::span<const Record> records,
                                 std::span<const RoundRecord> rounds = {});

// Lines that readers skip, and missing trials.
struct LogCheck {
  std::string path;
  int64_t num_lines = 0;
  int64_t num_campaigns = 0;
  // Campaigns reduced by `log distill`; these are not searched for gaps.
  int64_t num_distilled = 0;
  int64_t num_trials = 0;
  int64_t num_other_records = 0;      // sentinels and confirmations
  int64_t num_rounds = 0;             // rounds of a cost model
  int64_t num_networks = 0;           // networks chosen by measurements
  int64_t num_unknown = 0;            // lines of unknown kinds
  std::vector<LogWarning> bad_lines;  // without an unfinished last line
  bool torn = false;                  // an unfinished last line: normal after a kill
  std::vector<std::string> gaps;      // "campaign 1, gmm:...: trial 5 is missing"
  bool sound() const { return bad_lines.empty() && gaps.empty(); }
};

// Error: the file cannot be read as a log at all.
Result<LogCheck> check_log(const std::string& path);

}  // namespace dovetail
