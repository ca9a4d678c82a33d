// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/scored_points.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "costmodel/cost_models.h"
#include "search/strategies/points/points.h"

namespace dovetail {

std::vector<double> ScoredPoints::score(const std::vector<Point>& points) {
  std::vector<size_t> positions;
  std::vector<KeyedTrace> unknown;
  const size_t first_unknown = entries_.size();
  for (const Point& point : points) {
    KeyedTrace trace = space_.decode(point);
    const auto [at, added] = by_trace_.emplace(trace.key, entries_.size());
    positions.push_back(at->second);
    if (!added) continue;
    entries_.push_back({.point = point, .key = trace.key, .score = kIllegal});
    unknown.push_back(std::move(trace));
  }
  const std::vector<std::optional<double>> scores = scorer_.score(unknown);
  for (size_t i = 0; i < scores.size(); ++i) {
    const double score = scores[i].value_or(kIllegal);
    entries_[first_unknown + i].score = std::isfinite(score) ? score : kIllegal;
  }
  std::vector<double> result;
  for (const size_t position : positions) result.push_back(entries_[position].score);
  return result;
}

std::vector<size_t> ScoredPoints::legal_by_score(const std::vector<double>& scores) {
  std::vector<size_t> order;
  for (size_t i = 0; i < scores.size(); ++i)
    if (scores[i] != kIllegal) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return scores[i]; });
  return order;
}

std::vector<ScoredPoint> ScoredPoints::ranked() const {
  std::vector<double> scores;
  for (const ScoredPoint& entry : entries_) scores.push_back(entry.score);
  std::vector<ScoredPoint> points;
  for (const size_t i : legal_by_score(scores)) points.push_back(entries_[i]);
  return points;
}

ScoreSpread spread_of(const std::vector<double>& scores) {
  double count = 0, sum = 0, squares = 0;
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    count += 1;
    sum += score;
    squares += score * score;
  }
  const double mean = sum / std::max(count, 1.0);
  const double variance = squares / std::max(count, 1.0) - mean * mean;
  return {.mean = mean, .deviation = std::sqrt(std::max(variance, 0.0))};
}

std::vector<ProposedPoint> take_best(const ScoredPoints& found, size_t n, double epsilon,
                                     UnseenPoints& unseen) {
  const std::vector<ScoredPoint> ranked = found.ranked();
  auto best = ranked.begin();
  std::vector<ProposedPoint> proposed;
  while (proposed.size() < n) {
    std::optional<ProposedPoint> next;
    if (draw_fraction(unseen.rng()) >= epsilon)
      for (; !next && best != ranked.end(); ++best) next = unseen.take(best->point, best->key);
    if (!next) next = unseen.draw();
    if (!next) break;
    proposed.push_back(std::move(*next));
  }
  return proposed;
}

namespace {

constexpr size_t kMostKnown = 4096;  // entries of either map: a few hundred kilobytes in all

}  // namespace

AnalyticScorer::AnalyticScorer(const StrategyContext& context) : scorer_(context.draft) {
  if (scorer_ != nullptr) return;
  Result<std::unique_ptr<CostModel>> model =
      make_cost_model("roofline", {.target = context.space.target()});
  CHECK(model.has_value(), "the analytic model is always there");
  model_ = std::move(*model);
  own_ = std::make_unique<ModelScorer>(context.space, *model_);
  scorer_ = own_.get();
}

std::vector<std::optional<double>> AnalyticScorer::score(std::span<const KeyedTrace> traces) {
  if (known_.size() > kMostKnown) known_before_ = std::exchange(known_, {});
  std::vector<KeyedTrace> unknown;
  for (const KeyedTrace& trace : traces) {
    if (known_.contains(trace.key)) continue;
    const auto before = known_before_.find(trace.key);
    const bool is_new = before == known_before_.end();
    known_[trace.key] = is_new ? std::nullopt : before->second;
    if (is_new) unknown.push_back(trace);
  }
  const std::vector<std::optional<double>> scores = scorer_->score(unknown);
  for (size_t i = 0; i < unknown.size(); ++i) known_[unknown[i].key] = scores[i];
  std::vector<std::optional<double>> result;
  for (const KeyedTrace& trace : traces) result.push_back(known_[trace.key]);
  return result;
}

}  // namespace dovetail
