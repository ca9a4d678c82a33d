// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

using testing::operator_of;
using Values = std::vector<float>;

Values reference_of(const std::string& spec, Operands operands) {
  return floats_of(exact_reference(operator_of(spec), operands));
}

TEST(Reference, ConvolvesByHand) {
  // 1 2 3        1 0
  // 4 5 6   by   0 1   without padding
  // 7 8 9
  const Operands operands{.input = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .weight = {1, 0, 0, 1}};
  EXPECT_EQ(reference_of("c2d:ci=1,co=1,h=3,w=3,k=2", operands), (Values{6, 8, 12, 14}));
}

TEST(Reference, PaddingIsZero) {
  const Operands operands{.input = {1, 2, 3, 4}, .weight = {1, 1, 1, 1, 1, 1, 1, 1, 1}};
  EXPECT_EQ(reference_of("c2d:ci=1,co=1,h=2,w=2,k=3,p=1", operands), (Values{10, 10, 10, 10}));
}

TEST(Reference, PadsEachSideAsItSays) {
  const Operands operands{.input = {1, 2, 3}, .weight = {1, 10}};
  EXPECT_EQ(reference_of("c1d:ci=1,co=1,w=3,k=2,p=1:0", operands), (Values{10, 21, 32}));
}

TEST(Reference, StridesAndDilates) {
  const Operands operands{.input = {1, 2, 3, 4, 5, 6, 7}, .weight = {1, 10}};
  EXPECT_EQ(reference_of("c1d:ci=1,co=1,w=7,k=2,s=2,d=3", operands), (Values{41, 63}));
}

TEST(Reference, SumsOverChannelsAndSeparatesGroups) {
  EXPECT_EQ(reference_of("c1d:ci=2,co=2,w=1,k=1", {.input = {1, 2}, .weight = {1, 10, 100, 1000}}),
            (Values{21, 2100}));
  EXPECT_EQ(reference_of("c1d:ci=2,co=2,w=1,k=1,g=2", {.input = {1, 2}, .weight = {10, 100}}),
            (Values{10, 200}));
}

TEST(Reference, DepthwiseMultipliesChannels) {
  const Operands operands{.input = {1, 2}, .weight = {1, 10, 100, 1000}};
  EXPECT_EQ(reference_of("dep:c=2,m=2,h=1,w=1,k=1", operands), (Values{1, 10, 200, 2000}));
}

TEST(Reference, TransposedConvolutionScatters) {
  // out[2i + r - 1] += x[i] w[r], the taps that leave 0..3 cropped
  const Operands operands{.input = {1, 2}, .weight = {1, 10, 100, 1000}};
  EXPECT_EQ(reference_of("t2d:ci=1,co=1,h=1,w=2,k=1x4,s=1x2,p=0x1", operands),
            (Values{10, 102, 1020, 200}));
}

TEST(Reference, MatrixProductAndItsTransposes) {
  const Values product = {19, 22, 43, 50};  // 1 2; 3 4  by  5 6; 7 8
  EXPECT_EQ(reference_of("gmm:m=2,n=2,k=2", {.input = {1, 2, 3, 4}, .weight = {5, 6, 7, 8}}),
            product);
  EXPECT_EQ(reference_of("gmm:m=2,n=2,k=2,ta=1", {.input = {1, 3, 2, 4}, .weight = {5, 6, 7, 8}}),
            product);
  EXPECT_EQ(reference_of("gmm:m=2,n=2,k=2,tb=1", {.input = {1, 2, 3, 4}, .weight = {5, 7, 6, 8}}),
            product);
}

TEST(Reference, TransposesOfRectangles) {
  // 1 2 3 by (1 10; 2 20; 3 30)
  EXPECT_EQ(reference_of("gmm:m=1,n=2,k=3", {.input = {1, 2, 3}, .weight = {1, 10, 2, 20, 3, 30}}),
            (Values{14, 140}));
  EXPECT_EQ(
      reference_of("gmm:m=1,n=2,k=3,tb=1", {.input = {1, 2, 3}, .weight = {1, 2, 3, 10, 20, 30}}),
      (Values{14, 140}));
}

TEST(Reference, OfAWrittenSumIsThatOfItsConvolution) {
  const std::string c2d = "c2d:n=2,ci=3,co=4,h=5,w=6,k=3x2,s=2x1,p=1:0x1+bias+relu";
  const std::string written =
      "y[n,o,h,w]+=a[n,i,2*h+r-1,w+s-1]*b[o,i,r,s]:n=2,o=4,h=2,w=7,i=3,r=3,s=2,a=2x3x5x6"
      "+bias+relu";
  const Operands operands = make_operands(operator_of(c2d), DataKind::small_integers, 7);
  EXPECT_EQ(reference_of(written, operands), reference_of(c2d, operands));
}

TEST(Reference, OfAWrittenSumContractsTwoAxes) {
  const Operands operands{.input = {1, 2, 3, 4}, .weight = {1, 10, 100, 1000}};
  EXPECT_EQ(reference_of("Y[m]+=X[k,l]*W[k,l,m]:m=1,k=2,l=2", operands), (Values{4321}));
}

TEST(Reference, AppliesEpiloguesInTheirOrder) {
  const Operands operands{
      .input = {1, 2}, .weight = {3, -3}, .bias = {1, 1}, .addend = {0, 1, 100, -1}};
  const std::string op = "c1d:ci=1,co=2,w=2,k=1";
  EXPECT_EQ(reference_of(op + "+bias+relu", operands), (Values{4, 7, 0, 0}));
  EXPECT_EQ(reference_of(op + "+relu+bias", operands), (Values{4, 7, 1, 1}));
  EXPECT_EQ(reference_of(op + "+bias+add+clip(-2,50)", operands), (Values{4, 8, 50, -2}));
  EXPECT_EQ(reference_of(op + "+relu6", operands), (Values{3, 6, 0, 0}));
}

TEST(Reference, BiasOfAMatrixProductBelongsToColumns) {
  const Operands operands{.input = {1, 2}, .weight = {1, 1}, .bias = {10, 20}};
  EXPECT_EQ(reference_of("gmm:m=2,n=2,k=1+bias", operands), (Values{11, 21, 12, 22}));
}

TEST(Reference, RoundingEpiloguesAreTheirTextbookFunctions) {
  const Operands operands{.input = {1, -2}, .weight = {0.5F}};
  const std::map<std::string, double (*)(double)> functions = {
      {"gelu", [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tanh", [](double x) { return std::tanh(x); }}};
  for (const auto& [name, function] : functions) {
    const Reference reference =
        compute_reference(operator_of("c1d:ci=1,co=1,w=2,k=1+" + name), operands);
    EXPECT_DOUBLE_EQ(reference.values.real(0), function(0.5)) << name;
    EXPECT_DOUBLE_EQ(reference.values.real(1), function(-1.0)) << name;
    EXPECT_EQ(reference.epilogue_scale, (std::vector<double>{1.5, 2}));
  }
}

TEST(Reference, ScaleIsTheSumOfMagnitudes) {
  const Operands operands{.input = {1, 2}, .weight = {-3, 1}, .bias = {-1}, .addend = {-10}};
  const Reference reference =
      compute_reference(operator_of("c1d:ci=2,co=1,w=1,k=1+bias+add"), operands);
  EXPECT_EQ(reals_of(reference.values), std::vector<double>{-12});
  EXPECT_EQ(reference.scale, Values{16});
}

TEST(Reference, SinglePrecisionIsExactOnSmallIntegers) {
  for (const char* spec :
       {"c2d:ci=64,co=8,h=9,w=11,k=3,p=1,s=2+bias+relu",
        "c3d:ci=3,co=4,depth=5,h=6,w=7,k=3,p=1,d=2", "grp:ci=8,co=12,h=7,w=7,k=3,p=1,g=4",
        "t2d:ci=6,co=4,h=5,w=7,k=3,s=2,p=1,op=1,g=2", "t3d:ci=2,co=3,depth=3,h=4,w=5,k=4,s=2,p=1",
        "gmm:b=2,m=5,n=7,k=300,ta=1,tb=1+bias"}) {
    const Operator op = operator_of(spec);
    const Operands operands = make_operands(op, DataKind::small_integers, 1);
    EXPECT_EQ(reals_of(exact_reference(op, operands)),
              reals_of(compute_reference(op, operands).values))
        << spec;
  }
}

// 1 + 2^-10 + 2^-11 as tf32 is 1 + 2^-10.
TEST(Reference, OfTf32RoundsFactorsTowardsZero) {
  const float number = 1 + 0x1p-10F + 0x1p-11F;
  const Operands operands{.input = {number, -number}, .weight = {number, 2}};
  const auto value_of = [&](const char* spec) {
    return compute_reference(operator_of(spec), operands).values.real(0);
  };
  const double kept = 1 + 0x1p-10;
  EXPECT_EQ(value_of("gmm:m=1,n=1,k=2,math=tf32"), kept * kept - 2 * kept);
  EXPECT_EQ(value_of("c1d:ci=2,co=1,w=1,k=1,math=tf32"), kept * kept - 2 * kept);
  EXPECT_NE(value_of("gmm:m=1,n=1,k=2"), value_of("gmm:m=1,n=1,k=2,math=tf32"));
  EXPECT_EQ(value_of("gmm:m=1,n=1,k=2"), value_of("gmm:m=1,n=1,k=2,math=tf32x2"));
}

TEST(Operands, SmallIntegersAreNeverZeroAndWithinTheirBounds) {
  const Operands operands =
      make_operands(operator_of("gmm:m=50,n=50,k=50+bias"), DataKind::small_integers, 3);
  const auto within = [](const NDArray& values, float largest) {
    return std::ranges::all_of(values.as<float>(), [&](float v) {
      return v != 0 && std::fabs(v) <= largest && v == std::round(v);
    });
  };
  EXPECT_TRUE(within(operands.input, 4));
  EXPECT_TRUE(within(operands.weight, 2));
  EXPECT_TRUE(within(operands.bias, 8));
  EXPECT_TRUE(operands.addend.empty());
}

TEST(Operands, AreTheSameForASeedAndOthersForAnother) {
  const Operator op = operator_of("gmm:m=8,n=8,k=8");
  EXPECT_EQ(make_operands(op, DataKind::real, 1).weight,
            make_operands(op, DataKind::real, 1).weight);
  EXPECT_NE(make_operands(op, DataKind::real, 1).weight,
            make_operands(op, DataKind::real, 2).weight);
  const Operands operands = make_operands(op, DataKind::real, 1);
  EXPECT_NE(operands.input, operands.weight);
}

TEST(Operands, RealDataStayWithinOneAndSumToAboutOne) {
  const Operator op = operator_of("gmm:m=4,n=256,k=1024");
  const Operands operands = make_operands(op, DataKind::real, 1);
  double squares = 0;
  for (const double value : reals_of(compute_reference(op, operands).values))
    squares += value * value / 1024;
  EXPECT_GT(squares, 0.2);
  EXPECT_LT(squares, 1);
  EXPECT_LE(std::fabs(*std::ranges::max_element(operands.input.as<float>())), 1);
}

TEST(Operands, SayWhichOperatorsAreExact) {
  EXPECT_TRUE(is_exact_on_integers(operator_of("c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu6")));
  EXPECT_FALSE(is_exact_on_integers(operator_of("c2d:ci=64,co=64,h=56,w=56,k=3,p=1+silu")));
  EXPECT_FALSE(is_exact_on_integers(operator_of("gmm:m=8,n=8,k=8,dtype=f16")));
  EXPECT_FALSE(is_exact_on_integers(operator_of("gmm:m=1,n=1,k=3000000")));
}

}  // namespace
}  // namespace dovetail
