// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "search/strategies/dovetail_searches.h"
#include "search/strategies/points/points.h"
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

Space small_product_space() {
  Target target;
  target.vector_bytes = 32;
  return *build_space(*parse_operator("gmm:m=12,n=32,k=8"), target);
}

double best_of(const Space& space, const std::string& spec, const Seconds& seconds, size_t trials,
               uint64_t seed, Scorer* draft = nullptr) {
  const auto made = std::move(*make_strategy(*parse_strategy(spec), {space, seed, nullptr, draft}));
  return simulate(*made, seconds, {.trials = trials}).best_seconds;
}

// Its best time over the other strategy's, geometric mean over seeds.
double ratio_to(const std::string& other, Scorer* draft) {
  const Space space = small_product_space();
  double log_ratio = 0;
  constexpr uint64_t kSeeds = 6;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    log_ratio += std::log(best_of(space, "dovetail", seconds_by_primitives, 128, seed, draft) /
                          best_of(space, other, seconds_by_primitives, 128, seed));
  }
  return std::exp(log_ratio / kSeeds);
}

TEST(Dovetail, FindsTheOptimumOfAToySpaceFromTimesAlone) {
  const Space space = larger_space();
  const Seconds seconds = toy_seconds(space);
  for (uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_LE(best_of(space, "dovetail", seconds, 128, seed), kToySeconds * 1.02) << seed;
}

// These times are hashes of what the trace says, of which the analytic model knows nothing.
TEST(Dovetail, BeatsRandomWhereTheEstimateSaysNothing) {
  EXPECT_LT(ratio_to("random", nullptr), 1);
}

TEST(Dovetail, BeatsEvolutionWhereTheEstimateSaysSomething) {
  NoisyScorer draft(seconds_by_primitives, 0.03);
  EXPECT_LT(ratio_to("evolutionary", &draft), 1);
}

TEST(Dovetail, ShowsTheCostModelNoMoreThanItsOptionsSay) {
  const Space space = small_product_space();
  NoisyScorer scorer(seconds_by_primitives, 0.1);
  const auto made = std::move(
      *make_strategy(*parse_strategy("dovetail:drafted=4,verify=0.5"), {space, 1, &scorer}));
  simulate(*made, seconds_by_primitives, {.trials = 160});
  EXPECT_GT(scorer.num_scored, 160u);
  EXPECT_LE(scorer.num_scored, 4u * 160u);
}

class DovetailSearches : public ::testing::Test {
 protected:
  std::vector<ProposedPoint> made(Search search) {
    std::unordered_set<uint64_t> traces;
    return searches_.make(search, 32, unseen_, traces);
  }

  const Space space_ = small_product_space();
  UnseenPoints unseen_{space_, 3};
  Searches searches_{space_, {}};
};

TEST_F(DovetailSearches, BeginBesideTheDefaultAndWithASpread) {
  EXPECT_FALSE(made(Search::descend).empty());
  EXPECT_EQ(made(Search::spread).size(), 32u);
  EXPECT_TRUE(made(Search::evolve).empty());
  EXPECT_TRUE(made(Search::loops).empty());
}

TEST_F(DovetailSearches, ExploreLoopsOfTheLayoutThatTheyWereGiven) {
  std::mt19937_64 rng(1);
  const Point best = space_.sample(rng);
  searches_.add(best, 1e-3);
  const std::vector<ProposedPoint> found = made(Search::loops);
  ASSERT_GT(found.size(), 4u);
  size_t same_layout = 0;
  const BestLayouts layouts(space_, 1);
  for (const ProposedPoint& one : found) {
    bool same = true;
    for (size_t k = 0; k < best.size(); ++k)
      same = same && (layouts.is_loop(k) || one.point[k] == best[k]);
    same_layout += same;
  }
  EXPECT_GT(same_layout, found.size() / 2);  // the others: their domains do not allow it
}

TEST_F(DovetailSearches, MakeNothingTwice) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 4; ++i) searches_.add(space_.sample(rng), 1e-3 + i);
  std::unordered_set<uint64_t> traces;
  size_t count = 0;
  for (const Search search : {Search::descend, Search::loops, Search::evolve, Search::spread}) {
    for (const ProposedPoint& one : searches_.make(search, 32, unseen_, traces)) {
      ++count;
      EXPECT_TRUE(space_.contains(one.point));
      EXPECT_TRUE(unseen_.take(one.point));
    }
  }
  EXPECT_EQ(traces.size(), count);
}

TEST(BestLayouts, KeepTheFastestPointOfEachOfTheFastestLayouts) {
  const Space space = small_product_space();
  BestLayouts layouts(space, 2);
  std::mt19937_64 rng(1);
  const Point a = space.default_point();
  Point b = a;
  for (const Neighbour& next : neighbours(space, a, Step::adjacent)) {
    if (layouts.is_loop(next.parameter)) b = next.point;  // the same layout as a
  }
  ASSERT_NE(a, b);
  layouts.add(a, 3);
  layouts.add(b, 2);
  ASSERT_EQ(layouts.points().size(), 1u);
  EXPECT_EQ(layouts.points()[0].point, b);
  for (int i = 0; i < 10; ++i) layouts.add(space.sample(rng), 4.0 + i);
  ASSERT_EQ(layouts.points().size(), 2u);
  EXPECT_EQ(layouts.points()[0].seconds, 2);
  EXPECT_EQ(layouts.points()[1].seconds, 4);
}

}  // namespace
}  // namespace dovetail
