// SPDX-License-Identifier: Apache-2.0
//
// The strategy `annealing`: simulated annealing in parallel chains, each of which changes one
// parameter at a time and accepts worse points ever more rarely.
//
// T. Chen, L. Zheng, E. Yan, Z. Jiang, T. Moreau, L. Ceze, C. Guestrin, A. Krishnamurthy: Learning
// to Optimize Tensor Programs. NeurIPS 2018 (AutoTVM; its `sa_model_optimizer`).
//
// With a cost model, as in AutoTVM: before each round the chains walk over the model's scores, the
// best points that they visited are measured, and a share of the round is random. Differences:
// fewer and shorter walks, because each step applies and lowers a program; score differences are in
// units of the scores' standard deviation over the chains, because scores here have no unit; no
// diversity filter.
//
// Without one, chains walk on measured times, which AutoTVM does not do: each proposes a change of
// its point, and moves when the result comes. A point that is slower by x in natural logarithm is
// accepted with probability e^-(x/temperature).
#include <cmath>

#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

constexpr size_t kNoChain = SIZE_MAX;  // the tag of points that no chain moves to

struct AnnealingOptions {
  int64_t chains = 4;
  int64_t steps = 32;
  double temperature = 0.1;
  double cooling = 0.97;
  double epsilon = 0.05;
};

std::vector<OptionField> fields_of(AnnealingOptions& options) {
  return {{"chains", "number of walks through the space, side by side", &options.chains, 1, 4096},
          {"steps", "changes that each walk tries on the cost model before each round",
           &options.steps, 1, 4096},
          {"temperature",
           "starting temperature: a candidate whose time's natural logarithm is larger by this "
           "much is taken with probability 1/e",
           &options.temperature, 0, 100},
          {"cooling", "factor by which the temperature falls after each result of a walk",
           &options.cooling, 0, 1},
          {"epsilon", "share of the proposals that are random points", &options.epsilon, 0, 1}};
}

// Walks on measured times.
class MeasuredAnnealing final : public Strategy {
 public:
  MeasuredAnnealing(const StrategyContext& context, const AnnealingOptions& options)
      : unseen_(context.space, context.seed),
        awaited_(context.space),
        options_(options),
        chains_(static_cast<size_t>(options.chains)) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    return traces_of(n, [&] {
      const bool random = draw_fraction(unseen_.rng()) < options_.epsilon;
      const size_t chain = random ? kNoChain : turn_++ % chains_.size();
      std::optional<ProposedPoint> next =
          random || chains_[chain].point.empty() ? unseen_.draw() : step(chains_[chain].point);
      if (next) awaited_.add(*next, chain);
      return next;
    });
  }

  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) {
      const std::optional<AwaitedPoint> at = awaited_.take(observation.trace);
      if (!at || at->tag == kNoChain) continue;
      if (observation.rejected || observation.status != Status::ok) continue;
      consider(chains_[at->tag], *at, observation.seconds);
    }
  }

 private:
  struct Chain {
    Point point;  // current point; empty: none yet
    double seconds = 0;
    int64_t results = 0;
  };

  // An unseen point one change away, or more changes if there is none.
  std::optional<ProposedPoint> step(const Point& from) {
    std::optional<ProposedPoint> near = unseen_.take_near(from, 1);
    return near ? std::move(near) : unseen_.draw();
  }

  void consider(Chain& chain, const AwaitedPoint& next, double seconds) {
    const double temperature =
        options_.temperature * std::pow(options_.cooling, static_cast<double>(chain.results++));
    const double worse = chain.point.empty() ? 0 : std::log(seconds / chain.seconds);
    // Drawn in any case, so that later draws do not depend on rounding.
    const double draw = draw_fraction(unseen_.rng());
    if (worse > 0 && draw >= std::exp(-worse / std::max(temperature, 1e-9))) return;
    chain.point = next.point;
    chain.seconds = seconds;
  }

  UnseenPoints unseen_;
  AwaitedPoints awaited_;
  AnnealingOptions options_;
  std::vector<Chain> chains_;
  size_t turn_ = 0;
};

// Walks on the cost model's scores.
class ScoredAnnealing final : public Strategy {
 public:
  ScoredAnnealing(const StrategyContext& context, const AnnealingOptions& options)
      : unseen_(context.space, context.seed), scorer_(*context.scorer), options_(options) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    ScoredPoints found(unseen_.space(), scorer_);
    walk(found);
    std::vector<KeyedTrace> traces;
    for (ProposedPoint& one : take_best(found, n, options_.epsilon, unseen_))
      traces.push_back(std::move(one.trace));
    return traces;
  }

 private:
  void walk(ScoredPoints& found) {
    if (chains_.empty())
      for (int64_t c = 0; c < options_.chains; ++c)
        chains_.push_back(unseen_.space().sample(unseen_.rng()));
    std::vector<double> scores = found.score(chains_);
    for (int64_t step = 0; step < options_.steps; ++step) {
      std::vector<Point> next;
      for (const Point& point : chains_)
        next.push_back(mutate(unseen_.space(), point, 1, unseen_.rng()));
      const std::vector<double> next_scores = found.score(next);
      // Falls from one standard deviation of the scores to none, as in the paper.
      const double temperature = spread_of(scores).deviation *
                                 static_cast<double>(options_.steps - step) /
                                 static_cast<double>(options_.steps);
      for (size_t c = 0; c < chains_.size(); ++c) {
        const double gain = next_scores[c] - scores[c];
        const double draw = draw_fraction(unseen_.rng());
        if (!(gain >= 0) && !(draw < std::exp(gain / std::max(temperature, 1e-30)))) continue;
        chains_[c] = next[c];
        scores[c] = next_scores[c];
      }
    }
  }

  UnseenPoints unseen_;
  Scorer& scorer_;
  AnnealingOptions options_;
  std::vector<Point> chains_;  // current point of each
};

}  // namespace

StrategyEntry annealing_entry() {
  return strategy_entry<AnnealingOptions>(
      "annealing", "walks that accept worse candidates ever less often (AutoTVM)",
      [](const StrategyContext& context,
         const AnnealingOptions& options) -> std::unique_ptr<Strategy> {
        if (context.scorer) return std::make_unique<ScoredAnnealing>(context, options);
        return std::make_unique<MeasuredAnnealing>(context, options);
      });
}

}  // namespace dovetail
