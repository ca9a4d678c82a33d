// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

BoundedTensor evaluated(const std::string& spec, const NamedArrays& inputs) {
  return evaluate_region(right(parse_region(spec), spec), inputs).at("Y");
}

TEST(RegionReference, OfIntegersIsExact) {
  constexpr int64_t kBeyond = (int64_t{1} << 53) + 1;
  const BoundedTensor sum =
      evaluated("Y[i]=sum(X[i,j]):i=1,j=3,X=1x3xi64", {{"X", std::vector<int64_t>{kBeyond, 1, 1}}});
  EXPECT_EQ(sum.values.type(), ElementType::i64);
  EXPECT_EQ(sum.values.integer(0), kBeyond + 2);
  EXPECT_EQ(sum.errors[0], 0);
}

TEST(RegionReference, WrapsWhatATensorDoesNotHold) {
  const NamedArrays inputs = {{"X", std::vector<int32_t>{255, 300}}};
  EXPECT_EQ(integers_of(evaluated("T[i]=X[i]+1;Y[i]=T[i]*2:i=2,X=2xi32,T=u8,Y=i32", inputs).values),
            (std::vector<int64_t>{0, 90}));
  EXPECT_EQ(integers_of(evaluated("Y[i]=u8(X[i]+1)*2:i=2,X=2xi32", inputs).values),
            (std::vector<int64_t>{0, 90}));
}

TEST(RegionReference, TakesDoublesAndGivesThem) {
  const std::vector<double> x = {0.1, 1e-12};
  const BoundedTensor first = evaluated("Y[i]=X[i]*3:i=2", {{"X", x}});
  EXPECT_EQ(first.values.type(), ElementType::f64);
  EXPECT_EQ(first.values.real(0), 0.1 * 3);
  const BoundedTensor second = evaluated("Y[i]=X[i]+1:i=2", {{"X", first.values}});
  EXPECT_EQ(second.values.real(1), 1 + 3e-12);
}

TEST(RegionReference, DoesNotLetAMultiplyAddOverflowDecide) {
  // The product alone is infinite, in one multiply-add with the other term it is not.
  const BoundedTensor y =
      evaluated("Y[i]=A[i]*B[i]+C[i]:i=2",
                {{"A", {1e20F, 1e20F}}, {"B", {4e18F, 4e18F}}, {"C", {-3e38F, 1}}});
  EXPECT_TRUE(std::isinf(y.errors[0]));
  EXPECT_EQ(y.errors[1], 0);
  EXPECT_TRUE(std::isinf(y.values.real(1)));
}

// In one order 2^-160 comes first, in the other 2^80.
TEST(RegionReference, LeavesOpenWhetherAProductLeavesItsType) {
  const float small = 0x1p-80F, large = 0x1p80F;
  const std::string spec = "Y[i]=prod(X[i,j]):i=2,j=4,X=2x4";
  const BoundedTensor y = evaluated(spec, {{"X",
                                            {small, small, large, large,  //
                                             0.5F, 2, large, 0}}});
  EXPECT_TRUE(std::isinf(y.errors[0]));
  EXPECT_EQ(y.values.real(1), 0);
  EXPECT_FALSE(std::isinf(y.errors[1]));
}

// As taps in the padding: a NaN beside them counts, or does not.
TEST(RegionReference, LeavesOpenWhatMeetsAFactorBeyondItsTensor) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const NamedArrays inputs = {{"X", {1, 2}}, {"W", {nan, 1, 1}}};
  const BoundedTensor y = evaluated("Y[i]=sum(X[i+k-1]*W[k]):i=2,k=3,X=2", inputs);
  EXPECT_TRUE(std::isinf(y.errors[0]));       // W[0] beside X[-1]
  EXPECT_TRUE(std::isnan(y.values.real(1)));  // W[0] beside X[0]
  EXPECT_EQ(y.errors[1], 0);
}

TEST(RegionReference, LeavesOpenWhichElementAnErrorChooses) {
  const BoundedTensor y = evaluated("I[i]=integer(X[i]*3);Y[i]=T[clamp(I[i],0,4)]:i=2,T=5",
                                    {{"X", {0.1F, 0.33333334F}}, {"T", {1, 2, 3, 4, 5}}});
  EXPECT_EQ(y.errors[0], 0);
  EXPECT_TRUE(std::isinf(y.errors[1]));
}

}  // namespace
}  // namespace dovetail
