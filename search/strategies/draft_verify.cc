// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/draft_verify.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "search/strategies/draft_scorer.h"
#include "search/strategies/points/awaited_points.h"
#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"

namespace dovetail {
namespace {

class DraftVerifyStrategy final : public Strategy {
 public:
  DraftVerifyStrategy(const StrategyContext& context, const DraftVerifyOptions& options)
      : unseen_(context.space, context.seed),
        draft_(context),
        verifier_(context.scorer),
        options_(options),
        awaited_(context.space),
        best_(static_cast<size_t>(options.parents)) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    if (num_rounds_++ % options_.rounds == 0) drafted_ = draft();
    ScoredPoints found(unseen_.space(), verifier_ ? *verifier_ : draft_);
    verify(found);
    return awaited_.add_all(take_best(found, n, options_.epsilon, unseen_));
  }

  void observe(std::span<const Observation> observations) override {
    add_valid(observations, awaited_, best_);
  }

 private:
  // The best by the draft model of all that lived, best first.
  std::vector<Point> draft() {
    ScoredPoints found(unseen_.space(), draft_);
    evolve(with_measured(random_points(options_.population)), options_.generations, found);
    std::vector<Point> best;
    for (ScoredPoint& scored : found.ranked()) {
      if (std::ssize(best) == options_.drafted) break;
      best.push_back(std::move(scored.point));
    }
    return best;
  }

  void verify(ScoredPoints& found) {
    std::vector<Point> population = drafted_;
    for (Point& point : random_points(options_.drafted / 4)) population.push_back(std::move(point));
    evolve(with_measured(std::move(population)), verifier_ ? options_.verified : 0, found);
  }

  void evolve(std::vector<Point> population, int64_t generations, ScoredPoints& found) {
    for (int64_t generation = 0;; ++generation) {
      const std::vector<size_t> order = ScoredPoints::legal_by_score(found.score(population));
      if (generation == generations || order.empty()) return;
      std::vector<Point> children;
      while (children.size() < population.size())
        children.push_back(child_of(population[order[draw_rank(unseen_.rng(), order.size())]]));
      population = std::move(children);
    }
  }

  Point child_of(const Point& parent) {
    if (draw_fraction(unseen_.rng()) >= options_.mutation) return parent;
    return mutate(unseen_.space(), parent, 1, unseen_.rng());
  }

  std::vector<Point> random_points(int64_t count) {
    std::vector<Point> points;
    while (std::ssize(points) < count) points.push_back(unseen_.space().sample(unseen_.rng()));
    return points;
  }

  std::vector<Point> with_measured(std::vector<Point> population) const {
    for (const MeasuredPoint& measured : best_.points()) population.push_back(measured.point);
    return population;
  }

  UnseenPoints unseen_;
  DraftScorer draft_;
  Scorer* verifier_;
  DraftVerifyOptions options_;
  AwaitedPoints awaited_;
  BestPoints best_;
  int64_t num_rounds_ = 0;
  std::vector<Point> drafted_;
};

}  // namespace

std::vector<OptionField> fields_of(DraftVerifyOptions& options) {
  return {{"population", "random points that a draft begins with", &options.population, 1, 65536},
          {"generations", "of the population on the draft model", &options.generations, 0, 1024},
          {"drafted", "points that the draft model hands to the cost model", &options.drafted, 1,
           65536},
          {"rounds", "that a drafted set serves for", &options.rounds, 1, 1024},
          {"verified", "generations on the cost model", &options.verified, 0, 1024},
          {"parents", "fastest measured points that live in both populations", &options.parents, 1,
           65536},
          {"mutation", "share of children that are mutants; the rest are their parents",
           &options.mutation, 0, 1},
          {"epsilon", "share of proposals that are random", &options.epsilon, 0, 1}};
}

std::unique_ptr<Strategy> make_draft_verify(const StrategyContext& context,
                                            const DraftVerifyOptions& options) {
  return std::make_unique<DraftVerifyStrategy>(context, options);
}

}  // namespace dovetail
