// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/points.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::conditional_space;
using testing::small_space;

Space derived(const char* spec) {
  Target target;
  target.vector_bytes = 32;
  return *build_space(*parse_operator(spec), target);
}

// A convolution with three algorithms and all kinds of parameters, a product, a transposed one.
std::vector<Space> real_spaces() {
  std::vector<Space> spaces;
  for (const char* spec : {"c2d:ci=8,co=16,h=6,w=6,k=3,p=1", "gmm:m=12,n=32,k=8",
                           "t2d:ci=4,co=8,h=4,w=4,k=4,s=2,p=1"}) {
    spaces.push_back(derived(spec));
  }
  spaces.push_back(conditional_space());
  return spaces;
}

std::set<Point> all_points(const Space& space) {
  std::set<Point> points;
  for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at))
    points.insert(*at);
  return points;
}

size_t num_differences(const Point& a, const Point& b) {
  size_t count = 0;
  for (size_t k = 0; k < a.size(); ++k) count += a[k] != b[k];
  return count;
}

TEST(Points, WhateverIsDoneToThemStayInTheSpace) {
  for (const Space& space : real_spaces()) {
    std::mt19937_64 rng(1);
    for (int round = 0; round < 60; ++round) {
      const Point a = space.sample(rng), b = space.sample(rng);
      EXPECT_TRUE(space.contains(mutate(space, a, 1 + draw_index(rng, 5), rng)));
      EXPECT_TRUE(space.contains(cross(space, a, b, rng)));
      std::vector<double> fractions;
      for (size_t k = 0; k < a.size(); ++k) fractions.push_back(draw_fraction(rng));
      EXPECT_TRUE(space.contains(point_at(space, fractions)));
      Point wild = a;
      for (int64_t& value : wild) value += static_cast<int64_t>(draw_index(rng, 40)) - 20;
      EXPECT_TRUE(space.contains(repair(space, wild)));
      if (round % 20 != 0) continue;
      for (const Step step : {Step::adjacent, Step::any}) {
        for (const Neighbour& next : neighbours(space, a, step)) {
          EXPECT_TRUE(space.contains(next.point));
          const std::optional<Neighbour> beyond = further(space, next);
          EXPECT_TRUE(!beyond || space.contains(beyond->point));
        }
      }
    }
  }
}

TEST(Points, AreEnumeratedCompletely) {
  EXPECT_EQ(all_points(small_space()).size(), 40u);
  const Space space = conditional_space();
  EXPECT_EQ(static_cast<double>(all_points(space).size()), space.count());
}

TEST(Points, AreAllReachedByChangingOneParameterAfterAnother) {
  const Space space = conditional_space();
  for (const Step step : {Step::adjacent, Step::any}) {
    std::set<Point> reached{space.default_point()};
    std::vector<Point> front{space.default_point()};
    while (!front.empty()) {
      const Point point = front.back();
      front.pop_back();
      for (const Neighbour& next : neighbours(space, point, step)) {
        if (reached.insert(next.point).second) front.push_back(next.point);
      }
    }
    EXPECT_EQ(reached, all_points(space));
  }
}

TEST(Points, AreAllReachedByMutation) {
  const Space space = conditional_space();
  std::mt19937_64 rng(7);
  std::set<Point> reached;
  Point point = space.default_point();
  for (int i = 0; i < 4000; ++i) {
    point = mutate(space, point, 1, rng);
    reached.insert(point);
  }
  EXPECT_EQ(reached, all_points(space));
}

TEST(Points, BesideOneDifferInOneParameterAndWhatItForbids) {
  const Space space = conditional_space();  // {tile.m, tile.k, threads, tile.n}
  std::set<Point> adjacent;
  for (const Neighbour& next : neighbours(space, {2, 4, 1, 8}, Step::adjacent)) {
    adjacent.insert(next.point);
  }
  EXPECT_EQ(adjacent, (std::set<Point>{{1, 4, 1, 8},  // tile.m down
                                       {4, 2, 1, 8},  // tile.m up: tile.k has no 4 there
                                       {2, 2, 1, 8},  // tile.k down; it has no value above
                                       {2, 4, 0, 1},  // threads off: tile.n is no choice
                                       {2, 4, 1, 4}}));
}

TEST(Points, FurtherAlongADirectionEndWhereTheDomainEnds) {
  const Space space = conditional_space();
  const Neighbour start{.point = {2, 1, 0, 1}, .parameter = 0, .direction = 1};
  const std::optional<Neighbour> once = further(space, start);
  ASSERT_TRUE(once);
  EXPECT_EQ(once->point, (Point{4, 1, 0, 1}));
  const std::optional<Neighbour> twice = further(space, *once);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->point, (Point{8, 1, 0, 1}));
  EXPECT_FALSE(further(space, *twice));
}

TEST(Points, MutatedDifferAndKeepWhatWasNotDrawn) {
  const Space space = derived("gmm:m=12,n=32,k=8");
  std::mt19937_64 rng(3);
  for (int i = 0; i < 200; ++i) {
    const Point point = space.sample(rng), mutated = mutate(space, point, 1, rng);
    size_t k = 0;
    while (k < point.size() && point[k] == mutated[k]) ++k;
    ASSERT_LT(k, point.size());
    Point wanted = point;
    wanted[k] = mutated[k];
    EXPECT_EQ(mutated, repair(space, wanted));
  }
}

TEST(Points, MutatedTurnOnWhatIsMostlyOffAsRarelyAsSamplesDo) {
  const Space space = conditional_space();
  std::mt19937_64 rng(5);
  int turned_on = 0;
  for (int i = 0; i < 1000; ++i) turned_on += mutate(space, {2, 2, 0, 1}, 1, rng)[2] == 1;
  EXPECT_GT(turned_on, 15);  // 10 of 210 draws
  EXPECT_LT(turned_on, 100);
}

TEST(Points, CrossedTakeEveryValueFromAParentWhereTheDomainsAllow) {
  const Space space = small_space();
  std::mt19937_64 rng(3);
  std::set<Point> children;
  for (int i = 0; i < 100; ++i) children.insert(cross(space, {1, 2, 0}, {8, 16, 1}, rng));
  EXPECT_EQ(children.size(), 8u);  // every combination
  for (const Point& child : children) {
    EXPECT_EQ(num_differences(child, {1, 2, 0}) + num_differences(child, {8, 16, 1}), 3u);
  }
}

TEST(Points, CrossedTakeAChoiceThatOnlyOneParentHasFromThatOne) {
  const Space space = conditional_space();
  std::mt19937_64 rng(3);
  for (int i = 0; i < 100; ++i) {
    const Point child = cross(space, {1, 1, 0, 1}, {1, 1, 1, 8}, rng);
    EXPECT_EQ(child[3], child[2] == 1 ? 8 : 1);
  }
}

TEST(Points, EncodedAndDecodedAreTheSame) {
  for (const Space& space : real_spaces()) {
    std::mt19937_64 rng(1);
    for (int i = 0; i < 30; ++i) {
      const Point point = space.sample(rng);
      const std::vector<double> numbers = encode(space, point);
      EXPECT_EQ(numbers.size(), point.size());
      for (const double number : numbers) EXPECT_TRUE(number >= 0 && number <= 1) << number;
      EXPECT_EQ(point_at(space, numbers), point);
    }
  }
}

TEST(Ranks, AreDrawnTheBestTwiceAsOftenAsTheMiddleOne) {
  std::mt19937_64 rng(11);
  std::map<size_t, int> counts;
  for (int i = 0; i < 10000; ++i) ++counts[draw_rank(rng, 5)];
  ASSERT_EQ(counts.rbegin()->first, 4U);
  // The density falls evenly from 2 to 0: 9, 7, 5, 3 and 1 of 25.
  for (size_t rank = 0; rank < 5; ++rank)
    EXPECT_NEAR(counts[rank], 10000 * (9 - 2 * static_cast<double>(rank)) / 25, 200) << rank;
  EXPECT_EQ(draw_rank(rng, 1), 0U);
}

TEST(Points, DependOnTheSeedAlone) {
  const Space space = conditional_space();
  std::mt19937_64 one(9), other(9), third(10);
  std::vector<Point> a, b, c;
  for (int i = 0; i < 20; ++i) {
    a.push_back(mutate(space, {2, 2, 1, 4}, 2, one));
    b.push_back(mutate(space, {2, 2, 1, 4}, 2, other));
    c.push_back(mutate(space, {2, 2, 1, 4}, 2, third));
  }
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace dovetail
