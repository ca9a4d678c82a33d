// SPDX-License-Identifier: Apache-2.0
// The strategy ppo finds the optimum of a space where it is known, and more than chance elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "search/strategies/strategies.h"
#include "tests/search/simulated_search.h"
#include "tests/search/small_space.h"

#if DOVETAIL_HAVE_TORCH

namespace dovetail {
namespace {

using testing::kToySeconds;
using testing::larger_space;
using testing::simulate;
using testing::toy_seconds;

double best_seconds(const Space& space, uint64_t seed, const std::string& spec) {
  const auto strategy = std::move(*make_strategy(*parse_strategy(spec), {space, seed, nullptr}));
  return simulate(*strategy, toy_seconds(space), {.trials = 200}).best_seconds;
}

TEST(Ppo, ReachesTheOptimumOfAToySpaceWithinTwoHundredTrials) {
  const Space space = larger_space();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const double best = best_seconds(space, seed, "ppo");
    EXPECT_LE(best, kToySeconds / 0.95) << seed;
  }
}

// Summed over seeds, because a policy that starts from nothing wins little in 200 trials.
TEST(Ppo, IsFasterThanRandomOnARealSpace) {
  Target target;
  target.vector_bytes = 32;
  const Space space = *build_space(*parse_operator("gmm:m=12,n=32,k=8"), target);
  double log_ratio = 0;
  constexpr uint64_t kSeeds = 10;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto best = [&](const std::string& spec) {
      const auto made = std::move(*make_strategy(*parse_strategy(spec), {space, seed, nullptr}));
      return simulate(*made, testing::seconds_by_primitives).best_seconds;
    };
    log_ratio += std::log(best("ppo:joint=100") / best("random"));
  }
  EXPECT_LT(std::exp(log_ratio / kSeeds), 0.96);
}

}  // namespace
}  // namespace dovetail

#endif  // DOVETAIL_HAVE_TORCH
