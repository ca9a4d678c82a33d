// SPDX-License-Identifier: Apache-2.0
//
// The strategy `evolutionary`: the fastest points measured so far are mutated and crossed, and the
// cost model picks among their descendants.
//
// L. Zheng, C. Jia, M. Sun, Z. Wu, C. H. Yu, A. Haj-Ali, Y. Wang, J. Yang, D. Zhuo, K. Sen,
// J. E. Gonzalez, I. Stoica: Ansor: Generating High-Performance Tensor Programs for Deep Learning.
// OSDI 2020 (its evolutionary search, with the defaults of the implementation in TVM).
//
// With a cost model, as in Ansor: a population of the best measured and of random points evolves
// for a few generations by the model's scores; the best unseen points of all generations are
// measured, beside some random ones. Differences: the population is 32, not 2048, because scoring a
// point applies and lowers it; parents are drawn by rank and not by score, because scores here have
// no unit; crossover is by parameter and not by stage of a network, because a task is one operator.
//
// Without one, which Ansor does not do, children of the best measured points are measured at once.
#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

struct EvolutionaryOptions {
  int64_t population = 32;
  int64_t generations = 3;
  int64_t parents = 8;
  double mutation = 0.85;
  double epsilon = 0.05;
};

std::vector<OptionField> fields_of(EvolutionaryOptions& options) {
  return {
      {"population", "points of each generation that evolves on the cost model",
       &options.population, 1, 65536},
      {"generations", "generations that evolve on the cost model before each round",
       &options.generations, 0, 1024},
      {"parents", "number of the fastest measured points that the first generation descends from",
       &options.parents, 1, 65536},
      {"mutation", "share of the children made by mutation; crossover makes the others",
       &options.mutation, 0, 1},
      {"epsilon", "share of the proposals that are random points", &options.epsilon, 0, 1}};
}

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
    std::vector<Point> population = points_of(best_.points());
    while (std::ssize(population) < options_.population)
      population.push_back(unseen_.space().sample(unseen_.rng()));
    evolve(std::move(population), options_.generations, static_cast<size_t>(options_.population),
           found, [this](const std::vector<Point>& parents) { return child_of(parents); });
    return take_best(found, n, options_.epsilon, unseen_);
  }

  std::vector<ProposedPoint> propose_children(size_t n) {
    const std::vector<Point> parents = points_of(best_.points());
    std::vector<ProposedPoint> proposed;
    while (proposed.size() < n) {
      // Begins with as many random points as there are parents, to have points to select from.
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
    return unseen_.take_near(draw_by_rank(parents, unseen_.rng()), 1);
  }

  Point child_of(const std::vector<Point>& parents) {
    const Point& parent = draw_by_rank(parents, unseen_.rng());
    if (draw_fraction(unseen_.rng()) < options_.mutation)
      return mutate(unseen_.space(), parent, 1, unseen_.rng());
    return cross(unseen_.space(), parent, draw_by_rank(parents, unseen_.rng()), unseen_.rng());
  }

  UnseenPoints unseen_;
  Scorer* scorer_;
  EvolutionaryOptions options_;
  AwaitedPoints awaited_;
  BestPoints best_;
  int64_t num_random_ = 0;
};

}  // namespace

StrategyEntry evolutionary_entry() {
  return strategy_entry<EvolutionaryOptions>("evolutionary",
                                             "mutation and crossover of the best (Ansor)",
                                             kConstruct<EvolutionaryStrategy>);
}

}  // namespace dovetail
