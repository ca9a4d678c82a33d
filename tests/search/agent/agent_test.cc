// SPDX-License-Identifier: Apache-2.0
//
// The agent on toy problems with a known best action; it is deterministic and can be saved.
#include "search/agent/agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "tests/support/expect_error.h"

#if DOVETAIL_HAVE_TORCH

namespace dovetail {
namespace {

std::unique_ptr<Agent> agent_of(const AgentOptions& options) {
  auto agent = load_agent(options);
  CHECK(agent.has_value(), agent.has_value() ? "" : agent.error().message);
  return *std::move(agent);
}

double distance(double a, double b) { return std::abs(a - b); }

// One decision; the best action depends on the state and on the actor.
double target_of(const State& state) {
  const double x = state.features[0];
  return state.actor == 0 ? 0.2 + 0.6 * x : 0.8 - 0.6 * x;
}

std::vector<State> contexts(int count) {
  std::vector<State> states;
  for (int i = 0; i < count; ++i) {
    states.push_back({.actor = i % 2, .features = {i % 4 < 2 ? 0.0f : 1.0f, 1.0f}});
  }
  return states;
}

double mean_distance(std::span<const Decision> decisions) {
  double sum = 0;
  for (const Decision& made : decisions) sum += distance(made.action, target_of(made.state));
  return sum / static_cast<double>(decisions.size());
}

void train(Agent& agent, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<Episode> episodes;
    for (Decision& made : agent.decide(contexts(32))) {
      const double reward = 1 - distance(made.action, target_of(made.state));
      episodes.push_back({.decisions = {std::move(made)}, .reward = reward});
    }
    agent.learn(episodes);
  }
}

TEST(Agent, AFreshPolicyCoversAllActionsAlike) {
  const auto agent = agent_of({.state_size = 2, .actors = 2, .seed = 1});
  double sum = 0;
  int low = 0, high = 0;
  for (const Decision& made : agent->decide(contexts(2000))) {
    EXPECT_GT(made.action, 0);
    EXPECT_LT(made.action, 1);
    sum += made.action;
    low += made.action < 0.25 ? 1 : 0;
    high += made.action > 0.75 ? 1 : 0;
  }
  EXPECT_NEAR(sum / 2000, 0.5, 0.05);
  EXPECT_GT(low, 200);
  EXPECT_GT(high, 200);
}

TEST(Agent, EachActorLearnsWhatItsStateAsksFor) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    const auto agent = agent_of({.state_size = 2, .actors = 2, .seed = seed});
    const double before = mean_distance(agent->decide(contexts(200)));
    train(*agent, 60);
    const double after = mean_distance(agent->decide(contexts(200)));
    EXPECT_GT(before, 0.25) << seed;
    EXPECT_LT(after, 0.15) << seed;
  }
}

TEST(Agent, TheSameSeedAndRewardsGiveTheSameActions) {
  const auto actions_of = [](uint64_t seed) {
    const auto agent = agent_of({.state_size = 2, .actors = 2, .seed = seed});
    train(*agent, 3);
    std::vector<double> actions;
    for (const Decision& made : agent->decide(contexts(8))) actions.push_back(made.action);
    return actions;
  };
  EXPECT_EQ(actions_of(5), actions_of(5));
  EXPECT_NE(actions_of(5), actions_of(6));
}

TEST(Agent, WithTheWeightsOfAnotherDecidesAndLearnsTheSame) {
  const AgentOptions options{.state_size = 2, .actors = 2, .seed = 4};
  const auto agent = agent_of(options);
  train(*agent, 10);
  const auto one = agent_of(options);
  const auto other = agent_of(options);
  train(*other, 2);  // what it learnt before does not count
  for (const auto& begun : {one.get(), other.get()})
    ASSERT_TRUE(begun->set_weights(agent->weights()).has_value());
  EXPECT_EQ(one->weights(), agent->weights());
  const auto made = agent->decide(contexts(8));
  const auto again = one->decide(contexts(8));
  const auto third = other->decide(contexts(8));
  for (size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i].value, again[i].value);
    EXPECT_EQ(made[i].value, third[i].value);
  }
  // The optimizer's moments stayed behind: one step from the same weights is the same step.
  const auto fresh = agent_of(options);
  ASSERT_TRUE(fresh->set_weights(agent->weights()).has_value());
  ASSERT_TRUE(one->set_weights(agent->weights()).has_value());
  const std::vector<Episode> episode = {{.decisions = {made[0]}, .reward = 0.5}};
  fresh->learn(episode);
  one->learn(episode);
  EXPECT_EQ(fresh->weights(), one->weights());
}

TEST(Agent, RefusesWeightsOfAnotherNumber) {
  const auto agent = agent_of({.state_size = 2, .actors = 2});
  const auto wider = agent_of({.state_size = 3, .actors = 2});
  const std::vector<float> before = agent->weights();
  const std::vector<float> others = wider->weights();
  EXPECT_ERROR(agent->set_weights(others), "agent: " + std::to_string(others.size()) +
                                               " weights, expected " +
                                               std::to_string(before.size()));
  EXPECT_FALSE(agent->set_weights({}).has_value());
  EXPECT_EQ(agent->weights(), before);
}

TEST(Agent, NamesAnOptionThatIsNoGood) {
  EXPECT_ERROR(load_agent({.state_size = 0}), "agent: state_size is 0, expected more than 0");
  EXPECT_ERROR(load_agent({.state_size = 2, .hidden = -1}),
               "agent: hidden is -1, expected more than 0");
}

TEST(Agent, ImitatesActionsAndExpectsTheirValues) {
  const auto agent = agent_of({.state_size = 2, .actors = 2, .seed = 4, .learning_rate = 1e-2});
  std::vector<Decision> good = agent->decide(contexts(64));
  for (Decision& decision : good) {
    decision.action = target_of(decision.state);
    decision.value = decision.state.features[0];
  }
  const double before = mean_distance(agent->decide(contexts(200)));
  const double first = agent->imitate(good, 1);
  const double last = agent->imitate(good, 300);
  EXPECT_GT(last, first + 0.5);  // log density
  const std::vector<Decision> made = agent->decide(contexts(200));
  EXPECT_LT(mean_distance(made), before / 2);
  for (const Decision& decision : made)
    EXPECT_NEAR(decision.value, decision.state.features[0], 0.2);
}

TEST(Agent, LearnsNothingFromNothing) {
  const auto agent = agent_of({.state_size = 2});
  const std::vector<float> before = agent->weights();
  agent->learn({});
  EXPECT_EQ(agent->weights(), before);
  EXPECT_EQ(agent->imitate({}, 3), 0);
}

}  // namespace
}  // namespace dovetail

#endif  // DOVETAIL_HAVE_TORCH
