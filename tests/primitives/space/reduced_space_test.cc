// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/reduced_space.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/graph/suite.h"
#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::lowered;
using testing::space_of;

using Domain = std::vector<int64_t>;

TEST(ReducedSpace, KeepsWhatIsWantedAndTheValuesBesideIt) {
  const Domain sizes = {1, 2, 4, 7, 14, 28};
  EXPECT_EQ(values_around(sizes, 4, 1, false), (Domain{4}));
  EXPECT_EQ(values_around(sizes, 4, 2, false), (Domain{4, 7}));
  EXPECT_EQ(values_around(sizes, 4, 3, false), (Domain{2, 4, 7}));
  EXPECT_EQ(values_around(sizes, 28, 3, false), (Domain{7, 14, 28}));
  EXPECT_EQ(values_around(sizes, 1, 9, false), sizes);
}

TEST(ReducedSpace, TakesTheNearestByRatioWhereWhatIsWantedIsNotThere) {
  EXPECT_EQ(values_around({2, 8, 64}, 16, 1, false), (Domain{8}));
  EXPECT_EQ(values_around({0, 16}, 4, 1, false), (Domain{16}));
  EXPECT_EQ(values_around({0, 1, 3}, 2, 1, true), (Domain{0}));  // names have no ratio
}

Suite suite(const char* name) {
  return *read_suite((testing::source_dir() / "scripts/suites" / name).string());
}

TEST(ReducedSpace, HasTheDefaultAndIsWithinTheLimits) {
  for (const SuiteEntry& entry : suite("spaces_first.txt")) {
    if (entry.name != "gmm" && entry.name != "dep" && entry.name != "t2d") continue;
    const Space space = *build_space(entry.spec, cpu(16, 32));
    const Space reduced = *reduced_space(space);
    EXPECT_TRUE(reduced.size().exact) << entry.name;
    EXPECT_GE(reduced.count(), 30'000) << entry.name;
    EXPECT_LE(reduced.count(), 50'000) << entry.name;
    EXPECT_EQ(reduced.default_trace(), space.default_trace()) << entry.name;
  }
}

TEST(ReducedSpace, SuitesHaveTheNineOperatorsAndNoShapeTwice) {
  const Suite first = suite("spaces_first.txt"), second = suite("spaces_second.txt");
  ASSERT_EQ(first.size(), 9U);
  ASSERT_EQ(second.size(), 9U);
  for (size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(first[k].name, second[k].name);
    EXPECT_EQ(first[k].spec.region.op->kind, second[k].spec.region.op->kind);
    EXPECT_NE(print(first[k].spec), print(second[k].spec));
  }
}

TEST(ReducedSpace, PointsAreThoseOfTheWholeSpaceAndLegal) {
  const Space space = space_of("c2d:ci=64,co=64,h=28,w=28,k=3,p=1", cpu(16, 32));
  const Space reduced = *reduced_space(space);
  std::mt19937_64 rng(1);
  for (int k = 0; k < 5; ++k) {
    const Point point = reduced.sample(rng);
    ASSERT_TRUE(reduced.contains(point));
    ASSERT_TRUE(space.contains(point));
    EXPECT_EQ(reduced.decode(point), space.decode(point));
    EXPECT_TRUE(apply(reduced.decode(point), *space.spec().region.op, space.target()).has_value());
  }
}

TEST(ReducedSpace, OfASpaceThatIsTooSmallIsAnError) {
  EXPECT_ERROR(reduced_space(space_of("gmm:m=1,n=1,k=6", cpu(16, 32))), "expected 20000 at least");
}

}  // namespace
}  // namespace dovetail
