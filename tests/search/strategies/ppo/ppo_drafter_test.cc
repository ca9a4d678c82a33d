// SPDX-License-Identifier: Apache-2.0
// Actors' actions make a point, and a given point tells the actions that make it.
#include "search/strategies/ppo/ppo_drafter.h"

#include <gtest/gtest.h>

#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

// Takes the actions that it is given, in order.
class RecitingAgent final : public Agent {
 public:
  std::vector<Decision> decide(std::span<const State> states) override {
    std::vector<Decision> decisions;
    for (const State& state : states) {
      decisions.push_back({.state = state, .action = actions.at(next++)});
      seen.push_back(state);
    }
    return decisions;
  }
  void learn(std::span<const Episode>) override {}
  double imitate(std::span<const Decision>, int) override { return 0; }
  std::vector<float> weights() const override { return {}; }
  Result<void> set_weights(std::span<const float>) override { return {}; }

  std::vector<double> actions;
  std::vector<State> seen;
  size_t next = 0;
};

TEST(PpoDrafter, WhatWasRetracedIsDrawnAgainFromTheSameStates) {
  const Space space = *build_space(*parse_operator("c2d:ci=8,co=16,h=8,w=8,k=3,p=1"), Target{});
  const SearchProgress progress{.trials = 40, .best_reward = 0.25};
  RecitingAgent none;
  const Drafter tracer(space, none);
  std::mt19937_64 rng(7);
  for (int i = 0; i < 50; ++i) {
    const Point point = space.sample(rng);
    const Draft retraced = tracer.retrace(point, progress);
    EXPECT_EQ(retraced.point, point);
    RecitingAgent agent;
    std::vector<State> states;
    // Actions are in the order of the parameters: layout and loops take turns.
    size_t layout = 0, loops = 0;
    for (size_t k = 0; k < space.parameters().size(); ++k) {
      if (!retraced.chosen[k]) continue;
      const bool is_loop = space.parameters()[k].decides == Decides::loops;
      const Decision& made = is_loop ? retraced.loops[loops++] : retraced.layout[layout++];
      agent.actions.push_back(made.action);
      states.push_back(made.state);
    }
    EXPECT_EQ(layout + loops, retraced.layout.size() + retraced.loops.size());
    Drafter drafter(space, agent);
    EXPECT_EQ(drafter.draw({nullptr}, progress)[0].point, point);
    ASSERT_EQ(agent.seen.size(), states.size());
    for (size_t k = 0; k < states.size(); ++k) {
      EXPECT_EQ(agent.seen[k].actor, states[k].actor);
      EXPECT_EQ(agent.seen[k].features, states[k].features);
    }
  }
}

TEST(PpoDrafter, RewardsAreLogarithmsOfTheSpeedUpAndHaveAnEnd) {
  EXPECT_EQ(ppo_reward(1), 0);
  EXPECT_EQ(ppo_reward(0.125), 1);
  EXPECT_EQ(ppo_reward(1000), kWorstPpoReward);
}

}  // namespace
}  // namespace dovetail
