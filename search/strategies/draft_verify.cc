// SPDX-License-Identifier: Apache-2.0
//
// The strategy `draft_verify`: an evolutionary search by a cheap analytic model drafts candidates
// out of a large population, the learnt model verifies the drafted few, and the best are measured.
//
// L. Qiao, J. Shi, X. Hao, X. Fang, S. Zhang, M. Zhao, Z. Zhu, J. Chen, H. An, X. Tang, B. Li,
// H. Yuan, X. Wang: Pruner: A Draft-then-Verify Exploration Mechanism to Accelerate Tensor Program
// Tuning. ASPLOS 2025, arXiv 2402.02361 (the flow is that of its code, github.com/qiaolian9/Pruner,
// `sketch_policy.cc`).
//
//   draft     random points and the fastest measured live for a few generations by `roofline`;
//             the best of all that lived are the drafted set, which serves for some rounds
//   verify    the drafted, fresh random and the fastest measured points are scored by the cost
//             model, live a generation by it, and the best unseen are measured, beside a share of
//             random ones
//
// As in Pruner: the draft model is analytic and never trained; children are mutants, or their
// parents again; the drafted set is made anew every other round. Differences: populations are 96
// and not 1,536, and 48 and not 512 are drafted, because this draft model reads lowered programs
// and Pruner's reads symbols; parents are drawn by rank and not by score, because scores have no
// unit; the verifier is the campaign's cost model and not a transformer over patterns of data flow;
// without a cost model the best of the draft are measured.
#include <algorithm>
#include <iterator>

#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

struct DraftVerifyOptions {
  int64_t population = 96;
  int64_t generations = 2;
  int64_t drafted = 48;
  int64_t rounds = 2;
  int64_t verified = 1;
  int64_t parents = 8;
  double mutation = 0.85;
  double epsilon = 0.1;
};

std::vector<OptionField> fields_of(DraftVerifyOptions& options) {
  return {
      {"population", "random points that each draft begins with", &options.population, 1, 65536},
      {"generations", "generations that evolve on the draft model", &options.generations, 0, 1024},
      {"drafted", "points that the draft model hands on to the cost model", &options.drafted, 1,
       65536},
      {"rounds", "rounds that are chosen from one draft before the next is made", &options.rounds,
       1, 1024},
      {"verified", "generations that evolve on the cost model", &options.verified, 0, 1024},
      {"parents", "number of the fastest measured points that are added to both populations",
       &options.parents, 1, 65536},
      {"mutation", "share of the children that are mutated; the others are copies of their parents",
       &options.mutation, 0, 1},
      {"epsilon", "share of the proposals that are random points", &options.epsilon, 0, 1}};
}

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
  // The best points of all generations by the draft model, best first.
  std::vector<Point> draft() {
    ScoredPoints found(unseen_.space(), draft_);
    live(with_measured(random_points(options_.population)), options_.generations, found);
    std::vector<Point> best;
    for (ScoredPoint& scored : found.ranked()) {
      if (std::ssize(best) == options_.drafted) break;
      best.push_back(std::move(scored.point));
    }
    return best;
  }

  void verify(ScoredPoints& found) {
    std::vector<Point> population = drafted_;
    std::ranges::move(random_points(options_.drafted / 4), std::back_inserter(population));
    live(with_measured(std::move(population)), verifier_ ? options_.verified : 0, found);
  }

  void live(std::vector<Point> population, int64_t generations, ScoredPoints& found) {
    const size_t size = population.size();
    evolve(std::move(population), generations, size, found,
           [this](const auto& parents) { return child_of(draw_by_rank(parents, unseen_.rng())); });
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
    std::ranges::move(points_of(best_.points()), std::back_inserter(population));
    return population;
  }

  UnseenPoints unseen_;
  AnalyticScorer draft_;
  Scorer* verifier_;
  DraftVerifyOptions options_;
  AwaitedPoints awaited_;
  BestPoints best_;
  int64_t num_rounds_ = 0;
  std::vector<Point> drafted_;
};

}  // namespace

StrategyEntry draft_verify_entry() {
  return strategy_entry<DraftVerifyOptions>(
      "draft_verify", "the analytic model drafts, the cost model verifies (Pruner)",
      kConstruct<DraftVerifyStrategy>);
}

}  // namespace dovetail
