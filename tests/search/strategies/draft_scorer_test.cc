// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/scored_points.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::larger_space;

Trace numbered(int64_t number) {
  return *parse_trace("loops: split(loop=m, factor=" + std::to_string(2 + number) + ")\n");
}

// Every third is illegal.
std::optional<double> speed_of(const Trace& trace) {
  const uint64_t value = hash(trace);
  return value % 3 == 0 ? std::nullopt : std::optional<double>(static_cast<double>(value % 1000));
}

class CountingScorer final : public Scorer {
 public:
  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override {
    std::vector<std::optional<double>> scores;
    for (const Trace& trace : traces) scores.push_back(speed_of(trace));
    num_scored += traces.size();
    return scores;
  }
  double model_seconds() const override { return 0; }
  size_t num_scored = 0;
};

class DraftScoring : public ::testing::Test {
 protected:
  // Right whether it is remembered or not.
  void ask(int64_t number) {
    const KeyedTrace trace = numbered(number);
    EXPECT_EQ(draft_.score({&trace, 1}), std::vector{speed_of(trace)});
  }
  // How many of them were lowered.
  size_t scored_for(int64_t number) {
    const size_t before = counting_.num_scored;
    ask(number);
    return counting_.num_scored - before;
  }

  const Space space_ = larger_space();
  CountingScorer counting_;
  AnalyticScorer draft_{StrategyContext{.space = space_, .draft = &counting_}};
};

TEST_F(DraftScoring, AsksOnceForATraceThatIsThereTwice) {
  const std::vector<KeyedTrace> traces{numbered(1), numbered(2), numbered(1)};
  const auto scores = draft_.score(traces);
  EXPECT_EQ(counting_.num_scored, 2u);
  EXPECT_EQ(scores[0], scores[2]);
}

TEST_F(DraftScoring, RemembersWhatIsAskedForAgainAndForgetsTheRest) {
  constexpr int64_t kOthers = 10'000, kEvery = 1000;
  ask(0);
  ask(1);
  for (int64_t number = 2; number < kOthers; ++number) {
    ask(number);
    if (number % kEvery != 0) continue;
    EXPECT_EQ(scored_for(0), 0u) << number;
  }
  EXPECT_EQ(scored_for(1), 1u);
}

}  // namespace
}  // namespace dovetail
