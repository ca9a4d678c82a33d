// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/stored_space.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/compare/simulate/simulated_space.h"
#include "search/strategies/points/points.h"
#include "tests/search/measured_space.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::made_up_measurements;
using testing::reduced_product;
using testing::small_space;

// As a file has it, and what reads it.
MeasuredSpace stored_measurements(const Space& space) {
  MeasuredSpace measured = made_up_measurements(space);
  store_space(space, measured);
  return *parse_t4(print_t4(measured));
}

void expect_same_parameters(const Space& a, const Space& b) {
  ASSERT_EQ(a.parameters().size(), b.parameters().size());
  for (size_t k = 0; k < a.parameters().size(); ++k) {
    const Parameter &one = a.parameters()[k], &other = b.parameters()[k];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(id_of(one), id_of(other)) << one.name;
    EXPECT_EQ(decides(one.kind), other.decides) << one.name;
    EXPECT_EQ(one.input, other.input) << one.name;
    EXPECT_EQ(one.algorithm, other.algorithm) << one.name;
    EXPECT_EQ(one.meaning, other.meaning) << one.name;
    EXPECT_EQ(one.labels, other.labels) << one.name;
    EXPECT_EQ(one.depends_on, other.depends_on) << one.name;
    EXPECT_EQ(one.off_percent, other.off_percent) << one.name;
    ASSERT_EQ(one.only_with.size(), other.only_with.size()) << one.name;
    for (size_t c = 0; c < one.only_with.size(); ++c) {
      EXPECT_EQ(one.only_with[c].parameter, other.only_with[c].parameter) << one.name;
      EXPECT_EQ(one.only_with[c].value, other.only_with[c].value) << one.name;
    }
  }
}

// A strategy cannot tell them apart.
void expect_same_space(const Space& a, const Space& b) {
  expect_same_parameters(a, b);
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.default_point(), b.default_point());
  std::optional<Point> other = first_point(b);
  for (std::optional<Point> at = first_point(a); at; at = next_point(a, *at)) {
    ASSERT_EQ(at, other);
    ASSERT_EQ(domains_along(a, *at), domains_along(b, *at));
    ASSERT_EQ(a.decode(*at), b.decode(*at));
    other = next_point(b, *other);
  }
  EXPECT_EQ(other, std::nullopt);
  std::mt19937_64 of_a(7), of_b(7);
  for (int draw = 0; draw < 50; ++draw) {
    const Point point = a.sample(of_a);
    EXPECT_EQ(point, b.sample(of_b));
    EXPECT_EQ(mutate(a, point, 2, of_a), mutate(b, point, 2, of_b));
  }
}

TEST(StoredSpace, IsTheSpaceThatWasMeasured) {
  const Space space = reduced_product().space;
  const MeasuredSpace measured = stored_measurements(space);
  ASSERT_TRUE(has_stored_space(measured));
  const Result<Space> stored = stored_space(measured, space.target());
  ASSERT_TRUE(stored) << stored.error().message;
  expect_same_space(space, *stored);
}

TEST(StoredSpace, HasPointsWithoutAResultToo) {
  const Space space = small_space({.with_illegal = true});
  const MeasuredSpace measured = stored_measurements(space);
  EXPECT_FALSE(measured.stored.unmeasured.empty());
  const Result<Space> stored = stored_space(measured, space.target());
  ASSERT_TRUE(stored) << stored.error().message;
  expect_same_space(space, *stored);
}

TEST(StoredSpace, IsReplayedWhateverTheRuleIsNow) {
  MeasuredSpace measured = stored_measurements(reduced_product().space);
  measured.space = "of another day";
  measured.most_points = 7;
  const auto simulated = simulated_space(measured);
  ASSERT_TRUE(simulated) << simulated.error().message;
  const Result<SimulatedRun> run =
      simulate(**simulated, {.strategy = *parse_strategy("random"), .seed = 1, .trials = 40});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->evaluations.size(), 40u);
}

class WrongStoredSpace : public ::testing::Test {
 protected:
  Result<Space> stored() const { return stored_space(measured_, space_.target()); }

  Space space_ = small_space({.with_illegal = true});
  MeasuredSpace measured_ = stored_measurements(space_);
};

TEST_F(WrongStoredSpace, WithAnotherTraceThanWasMeasuredIsRefused) {
  std::swap(measured_.points[3].trace, measured_.points[4].trace);
  EXPECT_ERROR(stored(), "its trace is ");
}

TEST_F(WrongStoredSpace, WithALineThatIsNoneIsRefused) {
  measured_.points[0].trace = "99999";
  EXPECT_ERROR(stored(), "row 1: line 99999 of a trace, expected one of ");
  measured_.points[0].trace = "0 -1";
  EXPECT_ERROR(stored(), "row 1: line -1 of a trace");
  measured_.points[0].trace = "one";
  EXPECT_ERROR(stored(), "row 1: found 'one', expected whole numbers");
}

TEST_F(WrongStoredSpace, WithATraceThatDoesNotReadIsRefused) {
  measured_.stored.lines[0] = "loops: split(";
  EXPECT_ERROR(stored(), "row ");
}

TEST_F(WrongStoredSpace, WithPointsInNoOrderIsRefused) {
  std::swap(measured_.points.front(), measured_.points.back());
  EXPECT_ERROR(stored(), "stands apart from those that begin like it");
}

TEST_F(WrongStoredSpace, WithAPointTwiceIsRefused) {
  UnmeasuredPoint& other = measured_.stored.unmeasured.front();
  measured_.stored.unmeasured.insert(measured_.stored.unmeasured.begin(), other);
  for (size_t i = 1; i < measured_.stored.unmeasured.size(); ++i)
    ++measured_.stored.unmeasured[i].row;
  EXPECT_ERROR(stored(), "are one point");
}

TEST_F(WrongStoredSpace, WithARowTooManyIsRefused) {
  measured_.stored.unmeasured.back().row += 1000;
  EXPECT_ERROR(stored(), "an unmeasured point is row ");
}

TEST_F(WrongStoredSpace, WithADefaultThatIsNoPointIsRefused) {
  measured_.stored.parameters[0].by_default = 12345;
  EXPECT_ERROR(stored(), "the default point is none of the space: ");
}

TEST_F(WrongStoredSpace, WithAParameterThatPointsLackIsRefused) {
  measured_.stored.parameters[0].value = std::nullopt;
  std::erase(measured_.parameters, measured_.stored.parameters[0].name);
  EXPECT_ERROR(stored(), "has no value; expected a value for all points, or one in each");
}

TEST_F(WrongStoredSpace, WithAnUnknownKindOfParameterIsRefused) {
  measured_.stored.parameters[0].kind = "colour";
  EXPECT_ERROR(stored(), "unknown kind of parameter 'colour'");
}

TEST_F(WrongStoredSpace, WithAParameterThatDependsOnALaterOneIsRefused) {
  measured_.stored.parameters[0].depends_on = {1};
  EXPECT_ERROR(stored(), "depends on a later one");
}

TEST_F(WrongStoredSpace, WithoutPointsIsRefused) {
  measured_.points.clear();
  measured_.stored.unmeasured.clear();
  EXPECT_ERROR(stored(), "no points; expected one or more");
}

}  // namespace
}  // namespace dovetail
