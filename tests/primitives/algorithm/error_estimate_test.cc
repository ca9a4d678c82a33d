// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/error_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "primitives/algorithm/winograd.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::operator_of;

TEST(Amplification, IsThatOfTheTables) {
  EXPECT_NEAR(amplification(2), std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(amplification(4), 5.13026, 1e-5);
}

TEST(ProductOperands, AreAnActivationAndAConstant) {
  const auto convolution = product_operands(define(operator_of("c2d:ci=4,co=4,h=6,w=6,k=3")));
  ASSERT_TRUE(convolution);
  EXPECT_EQ(convolution->activation, "X");
  EXPECT_EQ(convolution->constant, "W");
  EXPECT_FALSE(product_operands(define(operator_of("gmm:m=4,n=4,k=4,b_const=0"))));
}

// The columns of W[k, n] are those of n: 3-4-5 and 0.
TEST(SizesOfConstants, HaveTheLargestColumn) {
  const Computation product = define(operator_of("gmm:m=1,n=2,k=2"));
  const OperandSizes sizes = sizes_of_constants(product, std::vector<float>{3, 0, 4, 0});
  EXPECT_DOUBLE_EQ(sizes.column_norm, 5);
  EXPECT_DOUBLE_EQ(sizes.constant_rms, 2.5);
}

TEST(TakeActivations, LeavesOutWhatIsNotFinite) {
  OperandSizes sizes;
  take_activations(std::vector<float>{-3, -4, INFINITY, NAN}, sizes);
  EXPECT_DOUBLE_EQ(sizes.activation_mean, 3.5);
  EXPECT_DOUBLE_EQ(sizes.activation_rms, std::sqrt(12.5));
}

TEST(EstimatedError, IsThatOfTheFormulas) {
  constexpr double kUnit = 0x1p-24;
  const Computation c = define(operator_of("c2d:ci=64,co=8,h=8,w=8,k=3,p=1"));
  const OperandSizes sizes{
      .activation_rms = 2, .activation_mean = 1, .constant_rms = 0.25, .column_norm = 3};
  const double products = 64 * 9;
  EXPECT_DOUBLE_EQ(*estimated_error(c, std::nullopt, sizes), 2 * kUnit * std::sqrt(products) * 6);
  EXPECT_DOUBLE_EQ(*estimated_error(c, algorithm::Winograd{2}, sizes),
                   0.5 * kUnit * std::pow(amplification(2), 2) * 8 * 6);
  EXPECT_DOUBLE_EQ(*estimated_error(c, algorithm::SplitFactors{3}, sizes),
                   (2 * kUnit + 0x1p-22) * std::sqrt(products) * 6);
  const double pairs = products / 4, squares = 4 + 16 * 16 * 0.0625;
  EXPECT_DOUBLE_EQ(
      *estimated_error(c, algorithm::WinogradInnerProduct{.of = 4, .apart = 1, .scale = 16}, sizes),
      kUnit * std::sqrt(products) * (pairs + 2 * std::sqrt(pairs) * squares) / 16);
}

TEST(EstimatedError, GrowsWithEachAxisOfTheWindow) {
  const OperandSizes sizes{.activation_rms = 1, .constant_rms = 1, .column_norm = 1};
  const auto error = [&](const char* spec) {
    return *estimated_error(define(operator_of(spec)), algorithm::Winograd{4}, sizes);
  };
  const double plane = error("c2d:ci=4,co=4,h=8,w=8,k=3,p=1");
  EXPECT_NEAR(error("c3d:ci=4,co=4,depth=8,h=8,w=8,k=3,p=1") / plane, amplification(4), 1e-9);
}

}  // namespace
}  // namespace dovetail
