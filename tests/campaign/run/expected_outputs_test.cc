// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/expected_outputs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

ExpectedOutput one(double value, double error) {
  return {.values = {value, 0}, .errors = {error, error}, .scale = {2}};
}

OutputErrors compared(float found, const ExpectedOutput& expected) {
  return compare("Y", {1, 2}, std::vector<float>{found, 0}, expected);
}

TEST(ExpectedOutputs, OfAnOperatorAndOfTheSameSumWrittenDownAgree) {
  const RegionInputs inputs{{"X", {1, 2, 3, 4}}, {"W", {5, 6, 7, 8}}};
  const Region product = testing::right(parse_region("gmm:m=2,n=2,k=2"));
  const Region written =
      testing::right(parse_region("T[m,n]+=X[m,k]*W[k,n];Y[m,n]=T[m,n]:m=2,n=2,k=2"));
  const std::vector<double> expected = {19, 22, 43, 50};
  EXPECT_EQ(expected_outputs(product, {}, inputs).at("Y").values, expected);
  EXPECT_EQ(expected_outputs(written, {}, inputs).at("Y").values, expected);
}

TEST(ExpectedOutputs, AllowWinogradMoreThanTheDefinition) {
  const RegionInputs inputs{{"X", std::vector<float>(64, 1)}, {"W", std::vector<float>(9, 1)}};
  const Region region = testing::right(parse_region("c2d:ci=1,co=1,h=8,w=8,k=3"));
  const Trace winograd{.layouts = {}, .loops = {}, .algorithm = algorithm::Winograd{4}};
  EXPECT_GT(expected_outputs(region, winograd, inputs).at("Y").errors[0],
            expected_outputs(region, {}, inputs).at("Y").errors[0]);
}

TEST(ExpectedOutputs, NameTheFirstElementThatIsWrong) {
  const OutputErrors errors = compared(12, one(14, 0.5));
  EXPECT_EQ(errors.reason, "Y[0, 0] is 12, expected 14 to within 0.5; 1 of 2 elements are wrong");
  EXPECT_EQ(errors.max_abs_error, 2);
  EXPECT_EQ(errors.max_rel_error, 1);
}

TEST(ExpectedOutputs, AcceptWhatIsWithinTheBound) {
  const OutputErrors errors = compared(13.5, one(14, 0.5));
  EXPECT_EQ(errors.reason, "");
  EXPECT_EQ(errors.max_abs_error, 0.5);
}

TEST(ExpectedOutputs, CountANumberThatIsNoneAsInfinitelyWrong) {
  const OutputErrors errors = compared(std::nanf(""), one(14, 0.5));
  EXPECT_NE(errors.reason, "");
  EXPECT_TRUE(std::isinf(errors.max_abs_error));
}

TEST(ExpectedOutputs, AcceptInfinityWhereItIsExpected) {
  EXPECT_EQ(compared(INFINITY, one(INFINITY, 0)).reason, "");
  EXPECT_EQ(compared(INFINITY, one(INFINITY, 0)).max_abs_error, 0);
  EXPECT_NE(compared(-INFINITY, one(INFINITY, 0)).reason, "");
}

}  // namespace
}  // namespace dovetail
