// SPDX-License-Identifier: Apache-2.0
#pragma once

// RoundStats: how well a cost model did over the rounds of one task of one campaign.
//
//   xgboost, 18 rounds: top-1 0.39, top-5 0.62, tau 0.51 (last round 0.66), 21 ms of training a
//   round, warm start +0.08 tau
//
//   RoundTally tally;
//   tally.add(round);       // one after another; nothing of them is kept but sums
//   tally.stats()           // of those so far

#include <optional>
#include <span>
#include <string>

#include "core/record/line/round_record.h"

namespace dovetail {

struct RoundStats {
  std::string cost_model;
  int64_t rounds = 0;
  double top_1_recall = 0, top_5_recall = 0, kendall_tau = 0, top_1_speed = 0;  // means
  double last_kendall_tau = 0;
  double training_seconds = 0;  // mean
  // A warm start added this to tau, below 0 if it cost: the mean over the rounds that a model
  // without it scored, too.
  std::optional<double> warm_start_gain;
  friend bool operator==(const RoundStats&, const RoundStats&) = default;
};

class RoundTally {
 public:
  void add(const RoundRecord& round);
  // No rounds give no value.
  std::optional<RoundStats> stats() const;

 private:
  RoundStats sums_;  // in place of the means
  int64_t judged_ = 0;
};

// Sums up all of these.
std::optional<RoundStats> round_stats(std::span<const RoundRecord> rounds);

}  // namespace dovetail
