// SPDX-License-Identifier: Apache-2.0
#pragma once

// ScoredPoints: points that a strategy visits before a round, with the cost model's scores; the
// best unseen ones are proposed.
//
//   ScoredPoints found(space, scorer);
//   found.score(points)                          // remembers them; an illegal one: -infinity
//   take_best(found, 16, /*epsilon=*/0.05, unseen)
//
// A trace is scored once a round, however many points decode to it: the model is the same
// throughout, and lowering is the expensive part.

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/scorer.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategies.h"

namespace dovetail {

struct ScoredPoint {
  Point point;
  uint64_t key = 0;  // trace's key
  double score = 0;
};

class ScoredPoints {
 public:
  // Positions of the scores of legal points, best first; ties in the order given.
  static std::vector<size_t> legal_by_score(const std::vector<double>& scores);

  static constexpr double kIllegal = -std::numeric_limits<double>::infinity();

  ScoredPoints(const Space& space, Scorer& scorer) : space_(space), scorer_(scorer) {}

  std::vector<double> score(const std::vector<Point>& points);
  // The legal points, best first; ties in the order of scoring.
  std::vector<ScoredPoint> ranked() const;

 private:
  const Space& space_;
  Scorer& scorer_;
  std::vector<ScoredPoint> entries_;
  std::unordered_map<uint64_t, size_t> by_trace_;  // positions in entries_
};

// Evolves a population for `generations` generations, scored in `found`: the legal points, best
// first, are the parents of `size` children, each made by `child_of`.
template <typename ChildOf>
void evolve(std::vector<Point> population, int64_t generations, size_t size, ScoredPoints& found,
            const ChildOf& child_of) {
  for (;; --generations) {
    std::vector<Point> parents;
    for (const size_t i : ScoredPoints::legal_by_score(found.score(population)))
      parents.push_back(std::move(population[i]));
    if (generations == 0 || parents.empty()) return;
    population.clear();
    while (population.size() < size) population.push_back(child_of(parents));
  }
}

// Over finite scores only; an illegal point has none.
struct ScoreSpread {
  double mean = 0;
  double deviation = 0;
};
ScoreSpread spread_of(const std::vector<double>& scores);

// Up to n unseen points: random ones for the share `epsilon`, the best for the rest. Fewer: the
// space is exhausted.
std::vector<ProposedPoint> take_best(const ScoredPoints& found, size_t n, double epsilon,
                                     UnseenPoints& unseen);

// AnalyticScorer: scores of the analytic model (costmodel/features/cost_estimate.h), to draft
// candidates that the learnt model, or a measurement, then verifies:
//
//   AnalyticScorer draft(context);
//   draft.score(traces)      {1250, nothing, 900}: the second is illegal
//
// An estimate never changes, so it is cached: a trace that is scored round after round is lowered
// once. The cache is bounded: estimates not used of late are evicted.

class AnalyticScorer final : public Scorer {
 public:
  explicit AnalyticScorer(const StrategyContext& context);

  // Speeds: 1 / estimated seconds.
  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override;
  double model_seconds() const override { return scorer_->model_seconds(); }

 private:
  std::unique_ptr<CostModel> model_;  // null if the context has a draft scorer
  std::unique_ptr<Scorer> own_;
  Scorer* scorer_;
  using Estimates = std::unordered_map<uint64_t, std::optional<double>>;  // by trace
  Estimates known_;         // used since it was last emptied
  Estimates known_before_;  // used in the period before
};

}  // namespace dovetail
