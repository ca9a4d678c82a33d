// SPDX-License-Identifier: Apache-2.0
#include "search/agent/agent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/right.h"

#if DOVETAIL_HAVE_TORCH

namespace dovetail {
namespace {

// Three decisions, and a reward only at the end: credit reaches the first one.
TEST(AgentOfThreeDecisions, ARewardAtTheEndReachesTheFirstDecision) {
  const auto agent = testing::right(load_agent({.state_size = 3, .actors = 1, .seed = 3}));
  const auto step = [](int i) {
    std::vector<float> features(3, 0.0f);
    features[static_cast<size_t>(i)] = 1;
    return State{.actor = 0, .features = features};
  };
  const std::vector<double> best = {0.9, 0.5, 0.1};
  double last_mean = 0;
  for (int round = 0; round < 80; ++round) {
    std::vector<Episode> episodes(24, {.decisions = {}, .reward = 1});
    for (int i = 0; i < 3; ++i) {
      const std::vector<Decision> made = agent->decide(std::vector<State>(24, step(i)));
      for (size_t e = 0; e < episodes.size(); ++e) {
        episodes[e].reward -= std::abs(made[e].action - best[static_cast<size_t>(i)]);
        episodes[e].decisions.push_back(made[e]);
      }
    }
    last_mean = 0;
    for (const Episode& episode : episodes) last_mean += episode.reward / 24;
    agent->learn(episodes);
  }
  EXPECT_GT(last_mean, 0.5);  // at random: about 0.07
}

}  // namespace
}  // namespace dovetail

#endif
