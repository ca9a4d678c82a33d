// SPDX-License-Identifier: Apache-2.0
#include "search/proposer.h"

#include <gtest/gtest.h>

#include "costmodel/cost_models.h"
#include "search/strategies/strategies.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::illegal_space;
using testing::larger_space;
using testing::small_space;

// Proposes the same few traces for ever, and remembers what it is told.
class StubbornStrategy final : public Strategy {
 public:
  explicit StubbornStrategy(std::vector<KeyedTrace> traces) : traces_(std::move(traces)) {}
  Result<std::vector<KeyedTrace>> propose(size_t) override { return traces_; }
  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) rejected += observation.rejected;
  }
  int64_t rejected = 0;

 private:
  std::vector<KeyedTrace> traces_;
};

// Longer programs first.
class LongestFirst final : public CostModel {
 public:
  std::vector<double> predict(std::span<const ModelInput> inputs) override {
    std::vector<double> scores;
    for (const ModelInput& input : inputs) {
      scores.push_back(static_cast<double>(print(*input.program).size()));
    }
    return scores;
  }
  void update(std::span<const CostSample>) override {}
};

// Says that each question took it an hour.
class SlowScorer final : public Scorer {
 public:
  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override {
    hours_ += 1;
    return std::vector<std::optional<double>>(traces.size(), 1.0);
  }
  double model_seconds() const override { return 3600 * hours_; }

 private:
  double hours_ = 0;
};

Trace trace_of(const char* text) { return *parse_trace(text); }

TEST(Proposer, GivesUpOnAStrategyThatOnlyRepeatsItself) {
  const Space space = small_space();
  StubbornStrategy strategy(
      {trace_of("loops: split(loop=m, factor=2)\n"), trace_of("loops: split(loop=n, factor=4)\n")});
  const auto model = std::move(*make_cost_model("none", {}));
  Proposer proposer(space, strategy, *model);
  EXPECT_EQ(proposer.propose(16)->size(), 2u);
  EXPECT_FALSE(proposer.exhausted());
  EXPECT_TRUE(proposer.propose(16)->empty());
  EXPECT_TRUE(proposer.exhausted());
}

TEST(Proposer, StopsAmongMissesWhenItIsTold) {
  const Space space = small_space();
  StubbornStrategy strategy({trace_of("loops: split(loop=m, factor=2)\n")});
  const auto model = std::move(*make_cost_model("none", {}));
  Proposer proposer(space, strategy, *model);
  int asked = 0;
  EXPECT_EQ(proposer.propose(16, [&] { return ++asked < 3; })->size(), 1u);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(proposer.rejected(), 2);
  EXPECT_FALSE(proposer.exhausted());
}

TEST(Proposer, CountsTheMissesOfTheCallUnderWay) {
  const Space space = small_space();
  StubbornStrategy strategy({trace_of("loops: split(loop=m, factor=2)\n")});
  const auto model = std::move(*make_cost_model("none", {}));
  Proposer proposer(space, strategy, *model);
  std::vector<int64_t> misses;
  const auto goes_on = [&] {
    misses.push_back(proposer.misses());
    return misses.size() < 4;
  };
  EXPECT_EQ(proposer.propose(16, goes_on)->size(), 1u);
  EXPECT_EQ(misses, (std::vector<int64_t>{0, 1, 2, 3}));
  misses.clear();
  EXPECT_TRUE(proposer.propose(16, goes_on)->empty());
  EXPECT_EQ(misses, (std::vector<int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(proposer.misses(), 0);
}

TEST(Proposer, TellsTheStrategyWhatItRejectedAndKeepsTheReason) {
  const Space space = illegal_space();
  StubbornStrategy strategy({trace_of("loops: split(loop=m, factor=3)\n")});
  const auto model = std::move(*make_cost_model("none", {}));
  Proposer proposer(space, strategy, *model);
  EXPECT_TRUE(proposer.propose(1)->empty());
  EXPECT_EQ(strategy.rejected, proposer.rejected());
  EXPECT_GT(proposer.rejected(), 0);
  EXPECT_NE(proposer.last_rejection().find("factor 3 does not divide extent 8"), std::string::npos)
      << proposer.last_rejection();
}

TEST(Proposer, PutsTheBestScoresFirst) {
  const Space space = larger_space();
  StubbornStrategy strategy({trace_of("loops: parallel(b)\n"),
                             trace_of("loops: split(loop=m, factor=2) ; split(loop=n, factor=4)\n"),
                             trace_of("loops: split(loop=m, factor=2)\n")});
  LongestFirst model;
  Proposer proposer(space, strategy, model);
  const std::vector<Proposal> proposals = *proposer.propose(3);
  ASSERT_EQ(proposals.size(), 3u);
  for (size_t i = 1; i < proposals.size(); ++i) {
    EXPECT_GE(print(proposals[i - 1].candidate.program).size(),
              print(proposals[i].candidate.program).size());
  }
}

TEST(Proposer, CountsWhatTheStrategyAsksTheModelAsTheModelsTime) {
  const Space space = larger_space();
  SlowScorer scorer;
  const auto strategy =
      std::move(*make_strategy(*parse_strategy("evolutionary:generations=3"), {space, 1, &scorer}));
  const auto model = std::move(*make_cost_model("none", {}));
  Proposer proposer(space, *strategy, *model, &scorer);
  const std::vector<Proposal> proposals = *proposer.propose(8);
  double model_seconds = 0;
  for (const Proposal& proposal : proposals) model_seconds += proposal.model_seconds;
  EXPECT_GE(model_seconds, 4 * 3600);
  EXPECT_LT(model_seconds, 5 * 3600);
}

TEST(Scorer, GivesTheModelsScoresAndNothingOfIllegalTraces) {
  const Space space = illegal_space();
  LongestFirst model;
  ModelScorer scorer(space, model);
  const std::vector<KeyedTrace> traces = {trace_of("loops: split(loop=m, factor=2)\n"),
                                          trace_of("loops: split(loop=m, factor=3)\n"),
                                          trace_of("loops: split(loop=n, factor=4)\n")};
  const std::vector<std::optional<double>> scores = scorer.score(traces);
  ASSERT_EQ(scores.size(), 3u);
  const Candidate last = *materialize(*space.spec().region.op, space.target(), traces[2]);
  EXPECT_TRUE(scores[0]);
  EXPECT_FALSE(scores[1]);
  EXPECT_EQ(scores[2], static_cast<double>(print(last.program).size()));
}

TEST(Scorer, GivesEachOfManyItsOwnScore) {
  const Space space = larger_space();
  LongestFirst model;
  ModelScorer scorer(space, model);
  std::mt19937_64 rng(1);
  std::vector<KeyedTrace> traces;
  for (int i = 0; i < 150; ++i) traces.push_back(space.decode(space.sample(rng)));
  const std::vector<std::optional<double>> scores = scorer.score(traces);
  ASSERT_EQ(scores.size(), traces.size());
  for (size_t i = 0; i < traces.size(); ++i)
    EXPECT_EQ(scores[i], scorer.score(std::span(traces).subspan(i, 1)).front());
}

}  // namespace
}  // namespace dovetail
