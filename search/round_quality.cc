// SPDX-License-Identifier: Apache-2.0
#include "search/round_quality.h"

#include <vector>

#include "costmodel/rank_quality.h"

namespace dovetail {

std::optional<RoundRecord> judge_round(std::span<const ScoredResult> results) {
  RoundRecord round;
  std::vector<double> scores, fresh_scores;
  std::vector<std::optional<double>> seconds;
  for (const ScoredResult& result : results) {
    ++round.candidates;
    if (result.seconds) ++round.valid;
    scores.push_back(result.score);
    if (result.fresh_score) fresh_scores.push_back(*result.fresh_score);
    seconds.push_back(result.seconds);
  }
  if (round.valid < 2) return std::nullopt;
  const RankQuality quality = rank_quality(scores, seconds);
  round.top_1_recall = quality.top_1_recall;
  round.top_5_recall = quality.top_5_recall;
  round.kendall_tau = quality.kendall_tau;
  round.top_1_speed = quality.top_1_speed;
  if (fresh_scores.size() == seconds.size()) {
    round.fresh_kendall_tau = kendall_tau(fresh_scores, seconds);
  }
  return round;
}

}  // namespace dovetail
