// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskStats: statistics over the lines of one task of one campaign.
//
//   campaign 1, gmm:m=512,n=512,k=512 on cpu: 300 trials, 281 valid, 12 timeout, 7 wrong_output,
//   default 1.31 ms, median 2.20 ms, best 1.01 ms (trial 214)
//
//   TaskTally tally;
//   tally.add(record);      // one line after another
//   tally.stats()           // so far, without the best trial (best_record.h)
//
// Trials, sentinels and confirmations are counted separately. A tally keeps 8 bytes per valid
// trial, 16 per sentinel, at most 8 per confirmation, and nothing else, so that a campaign may be
// long.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/line/record.h"
#include "core/record/line/round_record.h"

namespace dovetail {

// RoundStats: how well a cost model did over the rounds of one task of one campaign.
//
//   xgboost, 18 rounds: top-1 0.39, top-5 0.62, tau 0.51 (last round 0.66), 21 ms of training a
//   round, warm start +0.08 tau
//
//   RoundTally tally;
//   tally.add(round);       // one after another; only sums are kept
//   tally.stats()           // so far
struct RoundStats {
  std::string cost_model;
  int64_t rounds = 0;
  double top_1_recall = 0, top_5_recall = 0, kendall_tau = 0, top_1_speed = 0;  // means
  double last_kendall_tau = 0;
  double training_seconds = 0;  // mean
  // The gain in tau by a warm start, negative if it hurt: the mean over the rounds that a model
  // without it scored, too.
  std::optional<double> warm_start_gain;
  friend bool operator==(const RoundStats&, const RoundStats&) = default;
};

class RoundTally {
 public:
  void add(const RoundRecord& round);
  // None without rounds.
  std::optional<RoundStats> stats() const;

 private:
  RoundStats sums_;  // sums where RoundStats has means
  int64_t judged_ = 0;
};

// The statistics of all these rounds.
std::optional<RoundStats> round_stats(std::span<const RoundRecord> rounds);

struct TaskStats {
  int64_t campaign = 1;
  std::string task;
  std::string target;
  Caches caches = Caches::hot;
  int64_t trials = 0;
  int64_t valid = 0;
  int64_t rejected = 0;              // illegal or duplicate proposals
  std::map<Status, int64_t> failed;  // by status; without ok
  // The default trace's first reading, against which other trials' readings are compared; and its
  // time: the median of its confirmations in the last sitting, in which the best was measured, too;
  // without any, of its first reading and its sentinels, so that one outlier decides nothing.
  std::optional<double> default_first_seconds;
  std::optional<double> default_seconds;
  std::optional<double> median_seconds;  // over valid trials
  std::optional<double> best_seconds;
  int64_t best_trial = 0;  // 0 when none is valid
  int64_t confirmations = 0;
  int64_t sentinels = 0;
  std::optional<double> sentinel_spread;  // slowest / fastest - 1 of valid sentinels, if 2 or more
  MeasureTimes times;                     // sums over all lines
  double elapsed_seconds = 0;             // at its last line
  std::optional<RoundStats> model;        // none without a cost model
  friend bool operator==(const TaskStats&, const TaskStats&) = default;
};

class TaskTally {
 public:
  // Precondition: all records are of one task of one campaign.
  void add(const Record& record);
  void add(const RoundRecord& round) { rounds_.add(round); }

  TaskStats stats() const;

 private:
  void add_trial(const Record& record);
  void add_default(const Record& record);

  TaskStats stats_;  // without what stats() computes
  bool is_empty_ = true;
  std::vector<double> valid_seconds_;
  std::vector<double> sentinel_seconds_;       // valid sentinels
  std::vector<double> default_seconds_;        // its first reading, and its sentinels
  std::vector<double> default_confirmations_;  // last sitting only
  int64_t default_sitting_ = 0;
  RoundTally rounds_;
};

}  // namespace dovetail
