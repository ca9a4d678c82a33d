// SPDX-License-Identifier: Apache-2.0
#include "core/record/round_stats.h"

namespace dovetail {

std::optional<RoundStats> round_stats(std::span<const RoundRecord> rounds) {
  if (rounds.empty()) return std::nullopt;
  RoundStats stats{.cost_model = rounds.back().cost_model,
                   .rounds = static_cast<int64_t>(rounds.size()),
                   .last_kendall_tau = rounds.back().kendall_tau,
                   .warm_start_gain = std::nullopt};
  const double share = 1 / static_cast<double>(rounds.size());
  double gain = 0, judged = 0;
  for (const RoundRecord& round : rounds) {
    stats.top_1_recall += share * round.top_1_recall;
    stats.top_5_recall += share * round.top_5_recall;
    stats.kendall_tau += share * round.kendall_tau;
    stats.top_1_speed += share * round.top_1_speed;
    stats.training_seconds += share * round.training_seconds;
    if (!round.fresh_kendall_tau) continue;
    gain += round.kendall_tau - *round.fresh_kendall_tau;
    judged += 1;
  }
  if (judged > 0) stats.warm_start_gain = gain / judged;
  return stats;
}

}  // namespace dovetail
