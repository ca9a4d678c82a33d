// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/pretrained.h"

#include <gtest/gtest.h>

#include "core/base/parallel.h"
#include "search/compare/simulate/simulated_space.h"
#include "search/strategies/strategies.h"
#include "tests/search/measured_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr int64_t kPoints = 100;  // per space

// The spaces are made once: what is trained on them does not change them.
std::span<const std::unique_ptr<SimulatedSpace>> three_spaces() {
  static const std::vector<std::unique_ptr<SimulatedSpace>> kMade = [] {
    std::vector<std::unique_ptr<SimulatedSpace>> spaces;
    for (const char* spec :
         {"gmm:m=16,n=32,k=16", "c1d:ci=8,co=16,w=16,k=3", "gmm:m=32,n=16,k=16"}) {
      spaces.push_back(
          std::move(*simulated_space(testing::reduced_measurements(spec, kPoints).measured)));
    }
    return spaces;
  }();
  return kMade;
}

TEST(SpacesWithout, LeavesOutEverySpaceOfTheOperatorAtHandAndNoOther) {
  const auto spaces = three_spaces();
  const auto names = [&](std::string_view without) {
    std::vector<std::string> tasks;
    for (const SimulatedSpace* space : spaces_without(spaces, without))
      tasks.push_back(space->measured().task);
    return tasks;
  };
  EXPECT_EQ(names("gmm"), std::vector<std::string>{"c1d:ci=8,co=16,w=16,k=3"});
  EXPECT_EQ(names("c1d"), (std::vector<std::string>{"gmm:m=16,n=32,k=16", "gmm:m=32,n=16,k=16"}));
  EXPECT_EQ(names("c1").size(), 3u);
  EXPECT_EQ(names("").size(), 3u);
}

TEST(PretrainedAgent, NeedsASpace) {
  EXPECT_ERROR(pretrained_agent({}, {}), "no measured space to train an agent on");
}

#if DOVETAIL_HAVE_TORCH

PretrainedAgent trained_on(std::span<const SimulatedSpace* const> spaces,
                           const AgentPretraining& options) {
  Result<PretrainedAgent> trained = pretrained_agent(spaces, options);
  EXPECT_TRUE(trained) << trained.error().message;
  return *std::move(trained);
}

// The first ask comes while the fastest points are imitated, which takes longest.
TEST(PretrainedAgent, StopsBetweenStepsOfLearning) {
  int asked = 0;
  const auto on = spaces_without(three_spaces(), "");
  const PretrainedAgent trained =
      trained_on(on, {.trials = 1'000'000, .interrupted = [&] { return ++asked > 5; }});
  EXPECT_TRUE(trained.interrupted);
  EXPECT_LT(asked, 200);
}

TEST(PretrainedAgent, IsTheSameEveryTimeAlsoInParallelAndAnotherForAnotherSeed) {
  const auto spaces = three_spaces();
  const auto on = spaces_without(spaces, "");
  std::vector<SavedAgent> agents(3);
  for_each_in_parallel(
      3,
      [&](size_t k) {
        agents[k] = trained_on(on, {.trials = 128, .seed = k == 2 ? 6U : 5U}).agent;
      },
      3);
  EXPECT_EQ(agents[0], agents[1]);
  EXPECT_NE(agents[0].weights, agents[2].weights);
  EXPECT_EQ(*parse_saved_agent(print(agents[0])), agents[0]);
}

TEST(PretrainedAgent, NamesWhatItWasTrainedOnAndNothingElse) {
  const auto spaces = three_spaces();
  const SavedAgent agent = trained_on(spaces_without(spaces, "gmm"), {.trials = 60}).agent;
  EXPECT_EQ(agent.tasks, std::vector<std::string>{"c1d:ci=8,co=16,w=16,k=3"});
  EXPECT_EQ(agent.trials, 64);  // whole rounds
  EXPECT_EQ(agent.shape, *agent_shape(*parse_strategy("ppo")));
}

// An agent draws faster points in the spaces that it was trained on: that is the least to expect.
TEST(PretrainedAgent, DrawsFasterPointsThanAtFirst) {
  for (const char* without : {"gmm", "c1d"}) {
    const PretrainedAgent trained =
        trained_on(spaces_without(three_spaces(), without), {.trials = 3200});
    for (const PretrainedTask& task : trained.tasks)
      EXPECT_GT(task.last_share, 1.2 * task.first_share) << task.task;
  }
}

// In the strategy, a saved agent decides as one that goes on, and one that does not fit is refused.
TEST(PpoAgent, SavedAndLoadedProposesTheSame) {
  const auto spaces = three_spaces();
  const SimulatedSpace& space = *spaces[0];
  const SavedAgent begun = trained_on(spaces_without(spaces, "gmm"), {.trials = 320}).agent;
  const SavedAgent loaded = *parse_saved_agent(print(begun));
  const auto traces_with = [&](const SavedAgent* agent) {
    return simulate(space,
                    {.strategy = *parse_strategy("ppo"), .agent = agent, .seed = 3, .trials = 60})
        ->traces;
  };
  EXPECT_EQ(traces_with(&begun), traces_with(&loaded));
  EXPECT_NE(traces_with(&begun), traces_with(nullptr));
}

TEST(PpoAgent, OfOtherLayersIsRefused) {
  const auto spaces = three_spaces();
  const SavedAgent begun = trained_on(spaces_without(spaces, ""), {.trials = 32}).agent;
  EXPECT_ERROR(make_strategy(*parse_strategy("ppo:hidden=32"),
                             {.space = spaces[0]->space(), .agent = &begun}),
               "saved agent: hidden is 64, expected 32");
}

TEST(PpoAgent, SaysWhatItLearntOn) {
  const auto spaces = three_spaces();
  const SavedAgent begun = trained_on(spaces_without(spaces, "gmm"), {.trials = 32}).agent;
  const Space& space = spaces[0]->space();
  const auto strategy =
      std::move(*make_strategy(*parse_strategy("ppo"), {.space = space, .agent = &begun}));
  const SavedAgent before = *strategy->learnt();
  EXPECT_EQ(before.weights, begun.weights);
  const std::vector<KeyedTrace> traces = *strategy->propose(32);
  std::vector<Observation> observations;
  for (const Trace& trace : traces)
    observations.push_back({.trace = trace, .seconds = 1e-3 / (1.0 + observations.size())});
  strategy->observe(observations);
  const SavedAgent learnt = *strategy->learnt();
  EXPECT_EQ(learnt.trials, 32 + 32);
  EXPECT_EQ(learnt.tasks,
            (std::vector<std::string>{"c1d:ci=8,co=16,w=16,k=3", "gmm:m=16,n=32,k=16"}));
  EXPECT_NE(learnt.weights, begun.weights);
}

#endif  // DOVETAIL_HAVE_TORCH

}  // namespace
}  // namespace dovetail
