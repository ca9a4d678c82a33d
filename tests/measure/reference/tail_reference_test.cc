// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/tail_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/check/output_check.h"
#include "measure/reference/check_data.h"
#include "measure/reference/region_numbers.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

Operator product_with(const std::string& tail) {
  return right(parse_operator("gmm:m=2,n=3,k=4" + tail), tail);
}

const NamedArrays kGiven = {
    {"X", {1, 2, 3, 4, -1, -2, -3, -4}},
    {"W", {1, 0, 2, 0, 1, 0, 0, 0, 1, 1, 0, 0}},  // x0 + x3, x1 and 2*x0 + x2
    {"A", {0.5, 2, -1}},
};

TEST(TailReference, IsTheTailOfTheSum) {
  const Reference reference =
      reference_with_tail(product_with("+relu+tail(select(2<@,@*A[n],0-@):const=A)"), kGiven);
  EXPECT_EQ(reals_of(reference.values), (std::vector<double>{2.5, -2, -5, 0, 0, 0}));
}

TEST(TailReference, BytesOfASumAreWhole) {
  const Reference reference =
      reference_with_tail(product_with("+tail(integer(min(max(@*1.7,0),6)):Y=u8)"), kGiven);
  EXPECT_EQ(reals_of(reference.values), (std::vector<double>{6, 3, 6, 0, 0, 0}));
}

// The bound follows the tail's slope, and is wider where the sum may be off by more.
TEST(TailReference, ErrorsGrowWithTheTail) {
  const Reference once = reference_with_tail(product_with("+tail(@*1)"), kGiven);
  const Reference often = reference_with_tail(product_with("+tail(@*1000)"), kGiven);
  for (size_t i = 0; i < once.values.size(); ++i) {
    EXPECT_NEAR(often.errors[i] / once.errors[i], 1000, 1);
    EXPECT_GT(once.wide_errors[i], 10 * once.errors[i]);
    EXPECT_LT(once.wide_errors[i], 1e-4 * 20);
  }
}

TEST(TailReference, AWrongElementIsSeen) {
  for (const char* tail : {"+tail(@*min(max(@/6+0.5,0),1))", "+tail(select(@<0,@*A[n],@):const=A)",
                           "+tail(integer(min(max(@/A[0]+20,0),255)):Y=u8,const=A)"}) {
    const Region region = region_of(product_with(tail));
    const auto data = CheckData::make(region, DataKind::small_integers, 3);
    const Reference reference = std::get<Reference>(data->expected.at("Y"));
    for (size_t wrong = 0; wrong < reference.values.size(); ++wrong) {
      std::vector<float> found = floats_of(reference.values);
      const auto check = [&] {
        return compare_output("Y", {{1, 2, 3}}, found, reference, tolerance_of(region, {})).status;
      };
      EXPECT_EQ(check(), Status::ok);
      found[wrong] += std::max(1e-3F * std::abs(found[wrong]), 1e-3F);
      EXPECT_EQ(check(), Status::wrong_output) << tail << " " << wrong;
    }
  }
}

TEST(TailReference, ValuesAloneAreTheSame) {
  for (const char* tail :
       {"+silu+tail(select(2<@,@*A[n],0-@):const=A)", "+tail(integer(@):Y=i32)"}) {
    const Operator op = product_with(tail);
    EXPECT_EQ(values_with_tail(op, kGiven), reference_with_tail(op, kGiven).values);
  }
}

// An infinity of the sum is met; where products of both signs overflow, anything may come out.
TEST(TailReference, SumsThatOverflowAreNotJudgedByNaNs) {
  NamedArrays given = kGiven;
  given["X"] = NDArray{3e38F, 2, 3, 3e38F, -3e38F, -2, 3e38F, 1};
  const Reference reference = reference_with_tail(product_with("+tail(@*0.5)"), given);
  EXPECT_EQ(reference.values.real(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(reference.errors[0], 0);
  EXPECT_EQ(reference.values.real(1), 1);
  EXPECT_LT(reference.errors[1], 1e-5);
  EXPECT_EQ(reference.errors[5], std::numeric_limits<double>::infinity()) << "2 * -3e38 + 3e38";
}

double gain_of_tail(const std::string& tail) {
  return tail_gain(region_of(product_with(tail)), kGiven);
}

TEST(TailReference, AGainIsTheLargestSlope) {
  EXPECT_NEAR(gain_of_tail("+tail(@*1000)"), 1000, 1);
  EXPECT_NEAR(gain_of_tail("+tail(@*A[n]:const=A)"), 2, 0.01);
  EXPECT_NEAR(gain_of_tail("+tail(min(max(@,-100),100)*0.01)"), 0.01, 1e-4);
  EXPECT_NEAR(gain_of_tail("+tail(@*min(max(@/6+0.5,0),1))"), 7.0 / 6, 0.01) << "at 2";
  EXPECT_NEAR(gain_of_tail("+tail(@*tanh(max(@,0)+log(exp(0-abs(@))+1)))"), 1, 0.09);
  EXPECT_EQ(gain_of_tail("+tail(floor(@))"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(gain_of_tail("+tail(integer(@):Y=u8)"), std::numeric_limits<double>::infinity());
}

// A product of a large region: what is estimated for it stays as it was, but for the tail.
TEST(TailReference, EstimatesFollowTheGain) {
  const auto expected = [](const std::string& tail) {
    const Region region =
        region_of(right(parse_operator("c2d:ci=32,co=64,h=28,w=28,k=3,p=1" + tail), tail));
    return *expected_error(region, algorithm::Winograd{4}, *drawn_numbers(region));
  };
  const double alone = expected("");
  EXPECT_GT(alone, 0);
  EXPECT_NEAR(expected("+tail(@*1000)") / alone, 1, 0.5) << "the range grows, too";
  EXPECT_NEAR(expected("+tail(min(max(@*1000,-1),1))") / alone, 1000 * 6 / std::sqrt(3) / 2, 300);
  EXPECT_GT(expected("+tail(@*0.001+1)") / alone, 0.5) << "1 is no part of the range";
  EXPECT_LT(expected("+tail(@*0.001+A[n,o,h,w])") / alone, 0.01) << "A is";
  EXPECT_EQ(expected("+tail(integer(@/A[0]):Y=i8,const=A)"),
            std::numeric_limits<double>::infinity());
}

// Errors of Winograd's sums are judged behind the tail.
TEST(TailReference, WhatAnAlgorithmExplainsGoesThroughTheTail) {
  const Region region = region_of(product_with("+tail(@*1000)"));
  const Reference reference = reference_with_tail(*region.op, kGiven, {.has_random_signs = true});
  const Tolerance direct = tolerance_of(region, {});
  Tolerance inexact = tolerance_of(region, algorithm::Winograd{2});
  const double least = allowed_error(reference, 0, inexact);
  EXPECT_LT(10 * allowed_error(reference, 0, direct), least);
  inexact.algorithm = 1;
  EXPECT_NEAR(allowed_error(reference, 0, inexact), least + 1000, 1);
}

}  // namespace
}  // namespace dovetail
