// SPDX-License-Identifier: Apache-2.0
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
using testing::simulate;
using testing::SimulatedSearch;
using testing::toy_seconds;

class DraftVerify : public ::testing::Test {
 protected:
  SimulatedSearch search(const char* spec, Scorer* verifier, Scorer& draft, size_t trials,
                         uint64_t seed = 1) {
    const auto made =
        std::move(*make_strategy(*parse_strategy(spec), {space_, seed, verifier, &draft}));
    return simulate(*made, seconds_, {.trials = trials});
  }

  const Space space_ = larger_space();
  const Seconds seconds_ = toy_seconds(space_);
};

TEST_F(DraftVerify, ShowsTheCostModelAFractionOfWhatTheDraftModelSees) {
  NoisyScorer draft(seconds_, 0.3), verifier(seconds_, 0.02);
  search("draft_verify:population=200,drafted=20,generations=3,verified=0", &verifier, draft, 64);
  // 4 rounds: 20 drafted, 5 random, and at most 8 that were measured.
  EXPECT_LE(verifier.num_scored, 4u * 33u);
  EXPECT_GT(draft.num_scored, 3 * verifier.num_scored);
}

TEST_F(DraftVerify, FindsTheOptimumWithAGoodVerifierAndAPoorDraft) {
  int found = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    NoisyScorer draft(seconds_, 0.1), verifier(seconds_, 0.02);
    found += search("draft_verify", &verifier, draft, 96, seed).best_seconds < kToySeconds * 1.02;
  }
  EXPECT_GE(found, 18);
}

TEST_F(DraftVerify, MeasuresTheDraftWhereThereIsNoCostModel) {
  double log_ratio = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    NoisyScorer draft(seconds_, 0.02);
    const double drafted = search("draft_verify", nullptr, draft, 48, seed).best_seconds;
    log_ratio += std::log(drafted / search("random", nullptr, draft, 48, seed).best_seconds);
  }
  EXPECT_LT(log_ratio, 0);
}

TEST_F(DraftVerify, DraftsAnewEveryOtherRound) {
  NoisyScorer draft(seconds_, 0.1), verifier(seconds_, 0.1);
  search("draft_verify:rounds=2", &verifier, draft, 32);
  const size_t once = draft.num_scored;
  NoisyScorer again(seconds_, 0.1);
  search("draft_verify:rounds=1", &verifier, again, 32);
  EXPECT_GT(again.num_scored, once);
}

}  // namespace
}  // namespace dovetail
