// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/computation.h"

#include <gtest/gtest.h>

#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

std::string defined(std::string_view spec) { return print(define(*parse_operator(spec))); }

TEST(Computation, OfAConvolution) {
  EXPECT_EQ(defined("c2d:ci=64,co=32,h=56,w=56,k=3,p=1+bias+relu"),
            "for n<1, o<32, h<56, w<56: Y[n, o, h, w] = max(sum(i<64, kh<3, kw<3; "
            "X[n, i, h + kh - 1, kw + w - 1] * W[o, i, kh, kw]) + bias[o], 0)");
}

TEST(Computation, OfGroupsHasTheirChannelsApart) {
  EXPECT_EQ(defined("grp:ci=12,co=8,h=5,w=5,k=1,g=4+bias"),
            "for n<1, g<4, o<2, h<5, w<5: Y[n, g, o, h, w] = sum(i<3, kh<1, kw<1; "
            "X[n, g, i, h + kh, kw + w] * W[g, o, i, kh, kw]) + bias[g, o]");
}

TEST(Computation, OfDepthwiseChannelsSumsOverWindowsAlone) {
  EXPECT_EQ(defined("dep:c=8,h=5,w=5,k=3,s=2"),
            "for n<1, c<8, h<2, w<2: Y[n, c, h, w] = sum(kh<3, kw<3; "
            "X[n, c, 2*h + kh, kw + 2*w] * W[c, kh, kw])");
  EXPECT_EQ(defined("c1d:ci=6,co=12,w=8,k=3,g=6+bias"),
            "for n<1, c<6, m<2, w<6: Y[n, c, m, w] = sum(kw<3; "
            "X[n, c, kw + w] * W[c, m, kw]) + bias[c, m]");
}

TEST(Computation, OfATransposedConvolutionReadsWhatTheStrideDivides) {
  EXPECT_EQ(defined("t2d:ci=8,co=4,h=5,w=5,k=4x3,s=2x1,p=1"),
            "for n<1, o<4, h<10, w<5: Y[n, o, h, w] = sum(i<8, kh<4, kw<3; "
            "X[n, i, ((h - kh + 1) div 2), -kw + w + 1] where 0 <= ((h - kh + 1) mod 2) < 1 * "
            "W[i, o, kh, kw])");
  EXPECT_EQ(defined("t2d:ci=4,co=6,h=5,w=1,k=1,g=2+bias"),
            "for n<1, g<2, o<3, h<5, w<1: Y[n, g, o, h, w] = sum(i<2, kh<1, kw<1; "
            "X[n, g, i, h - kh, -kw + w] * W[g, i, o, kh, kw]) + bias[g, o]");
}

std::string fixed_digits_of(std::string_view spec) {
  std::string text;
  for (const FixedDigit& low : fixed_digits(define(*parse_operator(spec))))
    text += low.axis + " " + std::to_string(low.step) + " " + print(low.digit) + "; ";
  return text;
}

TEST(FixedDigits, FollowFromTheStride) {
  EXPECT_EQ(fixed_digits_of("t2d:ci=1,co=1,h=5,w=5,k=4,s=2,p=1"),
            "kh 2 ((h + 1) mod 2); kw 2 ((w + 1) mod 2); ");
  EXPECT_EQ(fixed_digits_of("t2d:ci=1,co=1,h=5,w=5,k=3,s=3x1,d=2x1"), "kh 3 ((2*h) mod 3); ");
  EXPECT_EQ(fixed_digits_of("c2d:ci=1,co=1,h=5,w=5,k=3,s=2"), "");
}

TEST(FixedDigits, AreNotThereWhereStrideAndDilationShareAFactor) {
  EXPECT_EQ(fixed_digits_of("t2d:ci=1,co=1,h=5,w=5,k=3,s=4x2,d=2x1"), "kw 2 (w mod 2); ");
}

// Row-major, the dims hold the framework's elements in the framework's order.
TEST(Computation, StoresTheFrameworksElements) {
  for (const char* spec :
       {"c2d:ci=4,co=6,h=5,w=7,k=3+bias+add", "grp:n=2,ci=6,co=4,h=5,w=5,k=3,g=2",
        "dep:c=5,m=3,h=6,w=4,k=2+bias", "t2d:ci=6,co=4,h=3,w=4,k=3,s=2,g=2+bias",
        "gmm:b=2,m=3,n=4,k=5,tb=1+bias"}) {
    const Operator op = *parse_operator(spec);
    const Computation c = define(op);
    std::vector<Operand> operands = input_operands(op);
    operands.push_back(Operand::output);
    ASSERT_EQ(c.tensors.size(), operands.size()) << spec;
    for (size_t t = 0; t < operands.size(); ++t) {
      int64_t elements = 1;
      for (const LogicalDim& dim : c.tensors[t].dims) elements *= dim.extent;
      EXPECT_EQ(elements, num_elements(logical_shape(op, operands[t])))
          << spec << " " << c.tensors[t].name;
    }
  }
}

}  // namespace
}  // namespace dovetail
