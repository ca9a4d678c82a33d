// SPDX-License-Identifier: Apache-2.0
#pragma once

// RankQuality: how well a model's scores order candidates that were then measured.
//
//   scores   0.9  0.7  0.4  0.1        the model's: larger is better
//   seconds  2us  1us  3us  4us        measured
//   ->  top_1_recall 0, top_5_recall 1, kendall_tau 0.67, top_1_speed 0.5
//
//   top_k_recall   share of the k fastest that are among the k highest scores. Scores that tie at
//                  the cut share the remaining places, so that constant scores get the recall of a
//                  random order on average.
//   kendall_tau    tau-b (Kendall, "The Treatment of Ties in Ranking Problems", Biometrika 1945):
//                  (C - D) / sqrt((n0 - n1) (n0 - n2)), with C concordant and D discordant pairs,
//                  n0 = n (n - 1) / 2, and n1, n2 the pairs tied in scores and in seconds;
//                  0 where one of them is all ties.
//   top_1_speed    time of the fastest over the time of the one with the highest score (averaged
//                  over ties).
//
// A failed candidate has no seconds; it counts as slower than all others, and failures tie.

#include <optional>
#include <span>

namespace dovetail {

struct RankQuality {
  double top_1_recall = 0, top_5_recall = 0, kendall_tau = 0, top_1_speed = 0;
  friend bool operator==(const RankQuality&, const RankQuality&) = default;
};

// Both have one entry per candidate. Without a valid candidate all figures are 0.
RankQuality rank_quality(std::span<const double> scores,
                         std::span<const std::optional<double>> seconds);

double top_recall(std::span<const double> scores, std::span<const std::optional<double>> seconds,
                  size_t k);
double kendall_tau(std::span<const double> scores, std::span<const std::optional<double>> seconds);

}  // namespace dovetail
