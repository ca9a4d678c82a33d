// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/evolutionary.h"

#include "search/strategies/points/awaited_points.h"
#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"

namespace dovetail {
namespace {

class EvolutionaryStrategy final : public Strategy {
 public:
  EvolutionaryStrategy(const StrategyContext& context, const EvolutionaryOptions& options)
      : unseen_(context.space, context.seed),
        scorer_(context.scorer),
        options_(options),
        awaited_(context.space),
        best_(static_cast<size_t>(options.parents)) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    return awaited_.add_all(scorer_ ? propose_scored(n) : propose_children(n));
  }

  void observe(std::span<const Observation> observations) override {
    add_valid(observations, awaited_, best_);
  }

 private:
  std::vector<ProposedPoint> propose_scored(size_t n) {
    ScoredPoints found(unseen_.space(), *scorer_);
    std::vector<Point> population;
    for (const MeasuredPoint& measured : best_.points()) population.push_back(measured.point);
    while (std::ssize(population) < options_.population)
      population.push_back(unseen_.space().sample(unseen_.rng()));
    for (int64_t generation = 0;; ++generation) {
      population = by_rank(std::move(population), found);
      if (generation == options_.generations || population.empty()) break;
      std::vector<Point> children;
      while (std::ssize(children) < options_.population) children.push_back(child_of(population));
      population = std::move(children);
    }
    return take_best(found, n, options_.epsilon, unseen_);
  }

  // Best scores first, without the illegal ones.
  static std::vector<Point> by_rank(std::vector<Point> population, ScoredPoints& found) {
    std::vector<Point> ranked;
    for (const size_t i : ScoredPoints::legal_by_score(found.score(population)))
      ranked.push_back(std::move(population[i]));
    return ranked;
  }

  std::vector<ProposedPoint> propose_children(size_t n) {
    std::vector<Point> parents;
    for (const MeasuredPoint& measured : best_.points()) parents.push_back(measured.point);
    std::vector<ProposedPoint> proposed;
    while (proposed.size() < n) {
      // As many random ones first as there are parents, or there is nothing to select from.
      const bool random = num_random_ < options_.parents || parents.empty() ||
                          draw_fraction(unseen_.rng()) < options_.epsilon;
      std::optional<ProposedPoint> next = random ? std::nullopt : unseen_child_of(parents);
      if (!next) {
        next = unseen_.draw();
        ++num_random_;
      }
      if (!next) break;
      proposed.push_back(std::move(*next));
    }
    return proposed;
  }

  std::optional<ProposedPoint> unseen_child_of(const std::vector<Point>& parents) {
    if (std::optional<ProposedPoint> child = unseen_.take(child_of(parents))) return child;
    return unseen_.take_near(drawn_by_rank(parents), 1);
  }

  Point child_of(const std::vector<Point>& parents) {
    const Point& parent = drawn_by_rank(parents);
    if (draw_fraction(unseen_.rng()) < options_.mutation)
      return mutate(unseen_.space(), parent, 1, unseen_.rng());
    return cross(unseen_.space(), parent, drawn_by_rank(parents), unseen_.rng());
  }

  const Point& drawn_by_rank(const std::vector<Point>& points) {
    return points[draw_rank(unseen_.rng(), points.size())];
  }

  UnseenPoints unseen_;
  Scorer* scorer_;
  EvolutionaryOptions options_;
  AwaitedPoints awaited_;
  BestPoints best_;
  int64_t num_random_ = 0;
};

}  // namespace

std::vector<OptionField> fields_of(EvolutionaryOptions& options) {
  return {
      {"population", "points of a generation on the cost model", &options.population, 1, 65536},
      {"generations", "of the population, before a round", &options.generations, 0, 1024},
      {"parents", "fastest measured points that descendants come from", &options.parents, 1, 65536},
      {"mutation", "share of children by mutation; crossover for the rest", &options.mutation, 0,
       1},
      {"epsilon", "share of proposals that are random", &options.epsilon, 0, 1}};
}

std::unique_ptr<Strategy> make_evolutionary(const StrategyContext& context,
                                            const EvolutionaryOptions& options) {
  return std::make_unique<EvolutionaryStrategy>(context, options);
}

}  // namespace dovetail
