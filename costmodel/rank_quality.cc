// SPDX-License-Identifier: Apache-2.0
#include "costmodel/rank_quality.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/base/check.h"

namespace dovetail {
namespace {

// Speeds, 1 / seconds: larger is better, as for scores. Failures tie at 0.
std::vector<double> speeds_of(std::span<const std::optional<double>> seconds) {
  std::vector<double> speeds;
  for (const std::optional<double>& time : seconds) speeds.push_back(time ? 1 / *time : 0);
  return speeds;
}

int order(double a, double b) { return a < b ? -1 : (a > b ? 1 : 0); }

double kth_largest(std::vector<double> values, size_t k) {
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(k - 1),
                           std::greater<>());
  return values[k - 1];
}

// The speed of the candidate with the highest score (mean over ties) relative to the fastest.
double speed_of_first(std::span<const double> scores, const std::vector<double>& speeds) {
  const double highest = *std::ranges::max_element(scores);
  double sum = 0, tied = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != highest) continue;
    sum += speeds[i];
    tied += 1;
  }
  const double fastest = *std::ranges::max_element(speeds);
  return fastest > 0 ? sum / tied / fastest : 0;
}

}  // namespace

double top_recall(std::span<const double> scores, std::span<const std::optional<double>> seconds,
                  size_t k) {
  CHECK(scores.size() == seconds.size(), "one score for each time");
  const std::vector<double> speeds = speeds_of(seconds);
  const auto valid =
      static_cast<size_t>(std::ranges::count_if(speeds, [](double speed) { return speed > 0; }));
  k = std::min(k, valid);
  if (k == 0) return 0;
  const double speed_cut = kth_largest(speeds, k);
  const double score_cut = kth_largest({scores.begin(), scores.end()}, k);
  double above = 0, hits_above = 0, tied = 0, hits_tied = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double hit = speeds[i] >= speed_cut ? 1 : 0;
    if (scores[i] > score_cut) {
      above += 1;
      hits_above += hit;
    } else if (scores[i] == score_cut) {
      tied += 1;
      hits_tied += hit;
    }
  }
  const auto wanted = static_cast<double>(k);
  return std::min(1.0, (hits_above + hits_tied * (wanted - above) / tied) / wanted);
}

double kendall_tau(std::span<const double> scores, std::span<const std::optional<double>> seconds) {
  CHECK(scores.size() == seconds.size(), "one score for each time");
  const std::vector<double> speeds = speeds_of(seconds);
  double difference = 0, untied_scores = 0, untied_speeds = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const int by_score = order(scores[i], scores[j]);
      const int by_speed = order(speeds[i], speeds[j]);
      difference += by_score * by_speed;
      untied_scores += by_score != 0;
      untied_speeds += by_speed != 0;
    }
  }
  const double scale = std::sqrt(untied_scores * untied_speeds);
  return scale > 0 ? difference / scale : 0;
}

RankQuality rank_quality(std::span<const double> scores,
                         std::span<const std::optional<double>> seconds) {
  if (scores.empty()) return {};
  return {.top_1_recall = top_recall(scores, seconds, 1),
          .top_5_recall = top_recall(scores, seconds, 5),
          .kendall_tau = kendall_tau(scores, seconds),
          .top_1_speed = speed_of_first(scores, speeds_of(seconds))};
}

}  // namespace dovetail
