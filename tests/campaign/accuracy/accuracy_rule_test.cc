// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/accuracy_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ir/region/region_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

TaskSpec task_of(std::string_view spec) { return right(parse_task_spec(spec), spec); }

const algorithm::Winograd kLarge{4}, kSmall{2};
const algorithm::WinogradInnerProduct kPairs{.of = 4, .apart = 1, .scale = 16};

RegionNumbers numbers_at(double mean, double range) {
  return {.sizes = {.activation_rms = std::sqrt(mean * mean + 1),
                    .activation_mean = mean,
                    .constant_rms = 0.06,
                    .column_norm = 1.4},
          .output_range = range};
}

TEST(AccuracyRule, AllowsWhatItsNumbersStand) {
  AccuracyRule rule(kDefaultMaxError);
  const TaskSpec near = task_of("c2d:ci=64,co=32,h=14,w=14,k=3,p=1");
  rule.add(near, numbers_at(0, 8));
  EXPECT_TRUE(rule.allows(near, kLarge));
  EXPECT_TRUE(rule.allows(near, kPairs));
  EXPECT_TRUE(rule.refused().empty());
  EXPECT_EQ(print(rule.refused(), rule.max_error()), "");
}

// Around 10,000, products of two activations have one sign.
TEST(AccuracyRule, LeavesPairsOutWhereActivationsHaveALargeMean) {
  AccuracyRule rule(kDefaultMaxError);
  const TaskSpec far = task_of("c2d:ci=256,co=48,h=13,w=13,k=1");
  rule.add(far, numbers_at(10000, 80000));
  EXPECT_FALSE(rule.allows(far, kPairs));
  EXPECT_TRUE(rule.allows(far, std::nullopt));
  ASSERT_EQ(rule.refused().size(), 1u);
  EXPECT_FALSE(rule.refused()[0].is_measured);
  EXPECT_NE(print(rule.refused(), rule.max_error()).find("winograd_inner_product of c2d:ci=256"),
            std::string::npos);
}

TEST(AccuracyRule, TheWorstNodeDecides) {
  AccuracyRule rule(kDefaultMaxError);
  const TaskSpec task = task_of("gmm:m=8,n=8,k=512");
  rule.add(task, numbers_at(0, 8));
  EXPECT_TRUE(rule.allows(task, kPairs));
  rule.add(task, numbers_at(1000, 8));
  EXPECT_FALSE(rule.allows(task, kPairs));
}

TEST(AccuracyRule, LearnsFromWhatCameOut) {
  AccuracyRule rule(kDefaultMaxError);
  const TaskSpec task = task_of("c2d:ci=8,co=8,h=8,w=8,k=3,p=1");
  rule.add(task, numbers_at(0, 8));
  EXPECT_TRUE(rule.refuse(task, kLarge, 3e-4)) << "is new";
  EXPECT_FALSE(rule.refuse(task, kLarge, 3e-4)) << "is known";
  EXPECT_FALSE(rule.allows(task, kLarge));
  EXPECT_TRUE(rule.allows(task, kSmall)) << "another tile is another algorithm";
  EXPECT_TRUE(rule.refused()[0].is_measured);
}

TEST(AccuracyRule, AllowsTheDefinitionAloneWhereNothingIsKnownOrNothingElseIsWanted) {
  AccuracyRule unknown(kDefaultMaxError), exact = AccuracyRule::exact();
  const TaskSpec task = task_of("gmm:m=8,n=8,k=512");
  EXPECT_FALSE(unknown.knows(task));
  EXPECT_FALSE(unknown.allows(task, kPairs));
  exact.add(task, numbers_at(0, 8));
  EXPECT_FALSE(exact.allows(task, kPairs));
  EXPECT_TRUE(exact.allows(task, std::nullopt));
}

TEST(AccuracyRule, HasNoRangeWhereAllOutputsAreZero) {
  AccuracyRule rule(kDefaultMaxError);
  const TaskSpec task = task_of("gmm:m=8,n=8,k=512");
  rule.add(task, numbers_at(0, 0));
  EXPECT_FALSE(rule.allows(task, kPairs));
}

// A network that amplifies what its regions lose.
TEST(AccuracyRule, TheNetworkAsAWholeDecides) {
  const TaskSpec near = task_of("c2d:ci=64,co=32,h=14,w=14,k=3,p=1");
  AccuracyRule rule(kDefaultMaxError);
  rule.add(near, numbers_at(0, 8));
  EXPECT_TRUE(rule.allows(near, kPairs));
  EXPECT_FALSE(AccuracyRule(rule).judge_network(7e-7)) << "a small part of the bound";
  EXPECT_EQ(rule.say_what_is_tightened(), "");
  EXPECT_TRUE(rule.judge_network(1e-3));
  EXPECT_DOUBLE_EQ(rule.max_error(), 0.3 * kDefaultMaxError);
  EXPECT_EQ(rule.say_what_is_tightened(),
            "with 1e-05 in each region outputs were 1.0e-03 of their range off; 3e-06 instead");
}

// The bound with which a network is, whose errors are these with 1, 0.3, 0.03 and 0 of it.
double bound_for(std::vector<double> errors) {
  const TaskSpec near = task_of("c2d:ci=64,co=32,h=14,w=14,k=3,p=1");
  AccuracyRule rule(kDefaultMaxError);
  rule.add(near, numbers_at(0, 8));
  EXPECT_TRUE(rule.allows(near, kPairs));
  for (const double error : errors)
    if (!rule.judge_network(error)) return rule.max_error() / kDefaultMaxError;
  EXPECT_FALSE(rule.judge_network(1)) << "it is settled";
  return rule.max_error() / kDefaultMaxError;
}

TEST(AccuracyRule, TakesTheLoosestBoundThatIsAlmostAsNear) {
  EXPECT_DOUBLE_EQ(bound_for({2e-6, 6e-7}), 0.3) << "near enough";
  EXPECT_DOUBLE_EQ(bound_for({1e-3, 2e-4, 1e-4, 9e-5}), 0.03);
  EXPECT_DOUBLE_EQ(bound_for({1e-3, 2e-4, 1e-4, 1e-5}), 0);
  EXPECT_DOUBLE_EQ(bound_for({1e-3, 8e-4, 9e-4, 9e-4}), 1) << "the network's own doing";
}

TEST(AccuracyRule, JudgesNoNetworkOfTheDefinitionsSums) {
  AccuracyRule exact = AccuracyRule::exact(), unasked(kDefaultMaxError);
  EXPECT_FALSE(exact.judge_network(1));
  EXPECT_FALSE(unasked.judge_network(1)) << "no region has another algorithm";
}

TEST(AccuracyRule, BoundsAreParts) {
  EXPECT_EQ(right(accuracy_rule(false, std::nullopt)).max_error(), kDefaultMaxError);
  EXPECT_EQ(right(accuracy_rule(true, 1e-3)).max_error(), 0);
  EXPECT_ERROR(accuracy_rule(false, -1), "--max-error -1: expected a part of the output's range");
  EXPECT_ERROR(accuracy_rule(false, std::nan("")), "--max-error nan: expected");
}

TEST(BoundOf, HalvesHoldNoMore) {
  const Region halves = right(parse_region("gmm:m=8,n=8,k=8,dtype=f16"));
  const Region floats = right(parse_region("gmm:m=8,n=8,k=8"));
  EXPECT_EQ(bound_of(halves, 2e-5), 0x1p-9);
  EXPECT_EQ(bound_of(halves, 0), 0) << "exact stays exact";
  EXPECT_EQ(bound_of(floats, 2e-5), 2e-5);
}

}  // namespace
}  // namespace dovetail
