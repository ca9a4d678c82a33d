// SPDX-License-Identifier: Apache-2.0
// The search strategies against random search, and on spaces whose optimum is known or whose times
// are computed from their primitives.
#include <gtest/gtest.h>

#include <cmath>

#include "search/strategies/strategies.h"
#include "tests/search/simulated_search.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::kToySeconds;
using testing::larger_space;
using testing::NoisyScorer;
using testing::Seconds;
using testing::seconds_by_primitives;
using testing::simulate;
using testing::toy_seconds;

// A contest with random search, seed by seed, says how often it found something faster, and by how
// much.
struct Contest {
  int wins = 0;
  double geomean_ratio = 1;  // its best time / random's
};

class AgainstRandom {
 public:
  AgainstRandom(const Space& space, Seconds seconds, size_t trials)
      : space_(space), seconds_(std::move(seconds)), trials_(trials) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed)
      random_.push_back(best_of("random", seed, nullptr));
  }

  Contest contest(const std::string& spec, Scorer* scorer = nullptr) const {
    Contest contest;
    double log_ratio = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const double best = best_of(spec, seed, scorer);
      contest.wins += best < random_[seed];
      log_ratio += std::log(best / random_[seed]);
    }
    contest.geomean_ratio = std::exp(log_ratio / kSeeds);
    return contest;
  }

 private:
  static constexpr uint64_t kSeeds = 20;

  double best_of(const std::string& spec, uint64_t seed, Scorer* scorer) const {
    const auto made = std::move(*make_strategy(*parse_strategy(spec), {space_, seed, scorer}));
    return simulate(*made, seconds_, {.trials = trials_}).best_seconds;
  }

  const Space& space_;
  Seconds seconds_;
  size_t trials_;
  std::vector<double> random_;
};

constexpr const char* kSearches[] = {"annealing", "evolutionary", "descent:samples=60", "dovetail"};
// They look at the cost model's scores.
constexpr const char* kWithScores[] = {"annealing", "evolutionary", "draft_verify", "dovetail"};
// Chance gives 15 wins of 20 once in 50 times.
constexpr int kClearly = 15;

Space contested_product() {
  Target target;
  target.vector_bytes = 32;
  return *build_space(*parse_operator("gmm:m=12,n=32,k=8"), target);
}

TEST(Searches, BeatRandomOnASpaceWithAKnownOptimum) {
  const Space space = larger_space();
  const AgainstRandom random(space, toy_seconds(space), 200);
  for (const char* spec : kSearches) {
    const Contest contest = random.contest(spec);
    EXPECT_GE(contest.wins, kClearly) << spec;
    EXPECT_LT(contest.geomean_ratio, 0.99) << spec;
  }
}

TEST(Searches, BeatRandomOnARealSpace) {
  const Space space = contested_product();
  const AgainstRandom random(space, seconds_by_primitives, 200);
  for (const char* spec : kSearches) {
    const Contest contest = random.contest(spec);
    EXPECT_GE(contest.wins, kClearly) << spec;
    EXPECT_LT(contest.geomean_ratio, 0.9) << spec;
  }
}

TEST(Searches, WithACostModelBeatRandomOnARealSpace) {
  const Space space = contested_product();
  const AgainstRandom random(space, seconds_by_primitives, 96);
  for (const char* spec : {"annealing", "evolutionary", "dovetail:verify=0.5"}) {
    NoisyScorer scorer(seconds_by_primitives, 0.05);
    const Contest contest = random.contest(spec, &scorer);
    EXPECT_GE(contest.wins, kClearly) << spec;
    EXPECT_LT(contest.geomean_ratio, 0.9) << spec;
  }
}

TEST(Searches, WithACostModelFindTheOptimumOfAToySpace) {
  const Space space = larger_space();
  const Seconds seconds = toy_seconds(space);
  for (const char* spec : kWithScores) {
    int found = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      NoisyScorer scorer(seconds, 0.02);
      const auto search = std::move(*make_strategy(*parse_strategy(spec), {space, seed, &scorer}));
      found += simulate(*search, seconds).best_seconds < kToySeconds * 1.01;
    }
    EXPECT_GE(found, 18) << spec;
  }
}

}  // namespace
}  // namespace dovetail
