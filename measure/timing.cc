// SPDX-License-Identifier: Apache-2.0
#include "measure/timing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/base/stopwatch.h"

namespace dovetail {
namespace {

constexpr size_t kLeastForInterval = 5;
constexpr int kLeastSamples = 3;
// A run this long is warm after two runs, so fewer samples suffice.
constexpr double kLongRunSeconds = 1e-3;

// Runs until warm; returns the seconds of one run, by the longest stretch.
Result<double> warm_up(const TimedRuns& sample, const TimingRule& rule) {
  double spent = 0;
  double per_run = 0;
  int64_t longest = 0;
  for (int64_t runs = 1; spent < rule.warmup_seconds || per_run == 0;) {
    const double seconds = std::max(TRY(sample(runs)), 1e-9);
    spent += seconds;
    if (runs >= longest) per_run = seconds / static_cast<double>(runs);
    longest = std::max(longest, runs);
    const auto left = static_cast<int64_t>((rule.warmup_seconds - spent) / per_run) + 1;
    runs = std::clamp<int64_t>(left, 1, 2 * runs);
  }
  return per_run;
}

bool is_beaten(const std::vector<double>& samples, const TimingRule& rule) {
  if (rule.best_seconds <= 0) return false;
  const double fastest = std::ranges::min(samples);
  const size_t least = fastest >= kLongRunSeconds ? kLeastSamples : kLeastForInterval;
  return samples.size() >= least && fastest > rule.clearly_slower * rule.best_seconds;
}

}  // namespace

double relative_half_width(std::span<const double> values) {
  if (values.size() < kLeastForInterval) return std::numeric_limits<double>::infinity();
  const auto [low, high] = median_interval(values);
  return (high - low) / 2 / median(values);
}

Result<std::vector<double>> time_adaptively(const TimedRuns& sample, const TimingRule& rule) {
  const Stopwatch watch;
  const double per_run = TRY(warm_up(sample, rule));
  const auto runs = std::max<int64_t>(1, std::llround(std::ceil(rule.sample_seconds / per_run)));
  std::vector<double> samples;
  double spent = 0;
  while (static_cast<int>(samples.size()) < rule.most_samples) {
    const double seconds = TRY(sample(runs));
    spent += seconds;
    samples.push_back(seconds / static_cast<double>(runs));
    const int count = static_cast<int>(samples.size());
    if (is_beaten(samples, rule)) break;
    if (count >= rule.least_samples && relative_half_width(samples) <= rule.relative_half_width)
      break;
    const bool is_late = rule.most_wall_seconds > 0 && watch.seconds() >= rule.most_wall_seconds;
    if (count >= kLeastSamples && (is_late || spent >= rule.budget_seconds)) break;
  }
  return samples;
}

}  // namespace dovetail
