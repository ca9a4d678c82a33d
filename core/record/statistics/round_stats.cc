// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/round_stats.h"

namespace dovetail {

void RoundTally::add(const RoundRecord& round) {
  sums_.cost_model = round.cost_model;
  sums_.rounds += 1;
  sums_.top_1_recall += round.top_1_recall;
  sums_.top_5_recall += round.top_5_recall;
  sums_.kendall_tau += round.kendall_tau;
  sums_.top_1_speed += round.top_1_speed;
  sums_.last_kendall_tau = round.kendall_tau;
  sums_.training_seconds += round.training_seconds;
  if (!round.fresh_kendall_tau) return;
  sums_.warm_start_gain =
      sums_.warm_start_gain.value_or(0) + (round.kendall_tau - *round.fresh_kendall_tau);
  judged_ += 1;
}

std::optional<RoundStats> RoundTally::stats() const {
  if (sums_.rounds == 0) return std::nullopt;
  RoundStats means = sums_;
  const auto rounds = static_cast<double>(sums_.rounds);
  for (double* sum : {&means.top_1_recall, &means.top_5_recall, &means.kendall_tau,
                      &means.top_1_speed, &means.training_seconds}) {
    *sum /= rounds;
  }
  if (means.warm_start_gain) *means.warm_start_gain /= static_cast<double>(judged_);
  return means;
}

std::optional<RoundStats> round_stats(std::span<const RoundRecord> rounds) {
  RoundTally tally;
  for (const RoundRecord& round : rounds) tally.add(round);
  return tally.stats();
}

}  // namespace dovetail
