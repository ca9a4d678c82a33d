// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/check_data.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/ir/region/region_text.h"
#include "measure/check/output_check.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

TEST(Inputs, FollowTheSeed) {
  for (const char* spec : {"gmm:m=4,n=3,k=2+bias+add", "Y[i]=exp(X[i]):i=4"}) {
    const Region region = right(parse_region(spec), spec);
    EXPECT_EQ(make_inputs(region, DataKind::real, 1), make_inputs(region, DataKind::real, 1));
    EXPECT_NE(make_inputs(region, DataKind::real, 1), make_inputs(region, DataKind::real, 2));
    EXPECT_EQ(make_inputs(region, DataKind::real, 1).size(), given_tensors(region).size());
  }
}

TEST(ExpectedOutputs, OfAnOperatorAndOfTheSameSumWrittenDownAgree) {
  const NamedArrays inputs{{"X", {1, 2, 3, 4}}, {"W", {5, 6, 7, 8}}};
  const Region product = right(parse_region("gmm:m=2,n=2,k=2"));
  const Region written = right(parse_region("T[m,n]+=X[m,k]*W[k,n];Y[m,n]=T[m,n]:m=2,n=2,k=2"));
  const std::vector<double> expected = {19, 22, 43, 50};
  for (const Region& region : {product, written})
    EXPECT_EQ(reals_of(std::get<Reference>(expected_outputs(region, inputs).at("Y")).values),
              expected);
}

// A rounding error decides whether the first product overflows; in double, the second one is 3e51.
TEST(ExpectedOutputs, AllowAnythingWhereAnErrorDecides) {
  const Region region = right(parse_region("Y[i]=tanh(X[i])*3.4028234e38*1e13:i=2"));
  const NamedArrays inputs{{"X", {100, 0}}};
  const auto reference = std::get<Reference>(expected_outputs(region, inputs).at("Y"));
  EXPECT_GT(reference.values.real(0), 1e50);
  EXPECT_EQ(allowed_error(reference, 0, tolerance_of(region, {})),
            std::numeric_limits<double>::infinity());
  EXPECT_LT(allowed_error(reference, 1, tolerance_of(region, {})), 1e20);
}

TEST(ExpectedOutputs, AllowWinogradMoreThanTheDefinition) {
  const NamedArrays inputs{{"X", std::vector<float>(64, 1)}, {"W", std::vector<float>(9, 1)}};
  const Region region = right(parse_region("c2d:ci=1,co=1,h=8,w=8,k=3"));
  const auto reference = std::get<Reference>(expected_outputs(region, inputs).at("Y"));
  EXPECT_GT(allowed_error(reference, 0, tolerance_of(region, algorithm::Winograd{4})),
            allowed_error(reference, 0, tolerance_of(region, {})));
}

TEST(CheckData, OfAnOperatorIsExactWhereItsSumsAre) {
  const Region region = right(parse_region("gmm:m=2,n=2,k=2"));
  const auto exact = CheckData::make(region, DataKind::small_integers, 0);
  EXPECT_TRUE(std::holds_alternative<NDArray>(exact->expected.at("Y")));
  const auto real = CheckData::make(region, DataKind::real, 0);
  EXPECT_TRUE(std::holds_alternative<Reference>(real->expected.at("Y")));
}

TEST(CheckData, OfAWrittenRegionHasEveryOutputWithItsBound) {
  const Region region =
      right(parse_region("M[i]max=S[i,j];Y[i,j]=S[i,j]-M[i];Z[i]=M[i]+1:i=3,j=4"));
  const auto data = CheckData::make(region, DataKind::small_integers, 0);
  EXPECT_EQ(data->inputs.size(), 1U);
  ASSERT_EQ(data->expected.size(), 2U);
  const auto& rows = std::get<Reference>(data->expected.at("Y"));
  EXPECT_EQ(rows.values.size(), 12U);
  EXPECT_EQ(rows.errors.size(), 12U);
  EXPECT_EQ(std::get<Reference>(data->expected.at("Z")).values.size(), 3U);
}

}  // namespace
}  // namespace dovetail
