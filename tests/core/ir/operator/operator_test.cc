// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/operator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// A spec prints as this text, or gives this error.
std::string canonical_spec(std::string_view spec) {
  const Result<Operator> op = parse_operator(spec);
  return op ? print(*op) : op.error().message;
}

using Shape = std::vector<int64_t>;

TEST(OperatorSpec, DropsDefaultsAndOrdersKeys) {
  EXPECT_EQ(canonical_spec("c2d:n=1,co=64,ci=32,w=56,h=28,k=3x3,s=1,p=1,d=1,g=1,dtype=f32"),
            "c2d:ci=32,co=64,h=28,w=56,k=3,p=1");
  EXPECT_EQ(canonical_spec("gmm:b=1,m=128,n=64,k=32,ta=0,tb=0,b_const=1"), "gmm:m=128,n=64,k=32");
  EXPECT_EQ(canonical_spec("gmm:dtype=f16,b_const=0,tb=1,ta=1,k=3,n=2,m=1,b=4"),
            "gmm:b=4,m=1,n=2,k=3,ta=1,tb=1,b_const=0,dtype=f16");
  EXPECT_EQ(canonical_spec("gmm:math=tf32,dtype=f32,m=1,n=2,k=3"), "gmm:m=1,n=2,k=3,math=tf32");
  EXPECT_EQ(canonical_spec("gmm:m=1,math=tf32x2,n=2,k=3"), "gmm:m=1,n=2,k=3,math=tf32x2");
  EXPECT_EQ(canonical_spec("gmm:math=f32,m=1,n=2,k=3"), "gmm:m=1,n=2,k=3");
  EXPECT_EQ(canonical_spec("dep:c=32,m=1,h=7,w=7,k=3"), "dep:c=32,h=7,w=7,k=3");
  EXPECT_EQ(canonical_spec("t3d:n=2,ci=4,co=2,depth=3,h=4,w=5,k=4,s=2,p=1,op=0"),
            "t3d:n=2,ci=4,co=2,depth=3,h=4,w=5,k=4,s=2,p=1");
}

TEST(OperatorSpec, PrintsOneValueWhenAllAxesAgree) {
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=3x1,s=2x1,d=2x2"),
            "dil:ci=1,co=1,h=9,w=9,k=3x1,s=2x1,d=2");
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1x2:1"),
            "c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1x2:1");
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1x0:1"),
            "c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1");
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1"), "c2d:ci=1,co=1,h=9,w=9,k=2,p=0:1");
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=2,p=1:1x2"), "c2d:ci=1,co=1,h=9,w=9,k=2,p=1x2");
  EXPECT_EQ(canonical_spec("c2d:ci=1,co=1,h=9,w=9,k=2,p=0:0x0"), "c2d:ci=1,co=1,h=9,w=9,k=2");
}

TEST(OperatorSpec, GivesEveryOperatorOneKind) {
  EXPECT_EQ(canonical_spec("c2d:ci=8,co=8,h=9,w=9,k=3,g=8"), "dep:c=8,h=9,w=9,k=3");
  EXPECT_EQ(canonical_spec("grp:ci=8,co=16,h=9,w=9,k=3,g=8,d=2"), "dep:c=8,m=2,h=9,w=9,k=3,d=2");
  EXPECT_EQ(canonical_spec("c2d:ci=8,co=8,h=9,w=9,k=3,g=4,d=2"),
            "grp:ci=8,co=8,h=9,w=9,k=3,d=2,g=4");
  EXPECT_EQ(canonical_spec("grp:ci=8,co=8,h=9,w=9,k=3"), "c2d:ci=8,co=8,h=9,w=9,k=3");
  EXPECT_EQ(canonical_spec("dil:ci=8,co=8,h=9,w=9,k=3"), "c2d:ci=8,co=8,h=9,w=9,k=3");
  EXPECT_EQ(canonical_spec("dep:c=1,m=4,h=9,w=9,k=3"), "c2d:ci=1,co=4,h=9,w=9,k=3");
  EXPECT_EQ(canonical_spec("dil:ci=8,co=8,h=9,w=9,k=1,d=2"), "dil:ci=8,co=8,h=9,w=9,k=1,d=2");
  EXPECT_EQ(canonical_spec("c1d:ci=8,co=8,w=9,k=3,g=8,d=2"), "c1d:ci=8,co=8,w=9,k=3,d=2,g=8");
  EXPECT_EQ(canonical_spec("c3d:ci=8,co=8,depth=4,h=9,w=9,k=1,g=8"),
            "c3d:ci=8,co=8,depth=4,h=9,w=9,k=1,g=8");
  EXPECT_EQ(canonical_spec("t2d:ci=8,co=8,h=9,w=9,k=3,g=8,d=2"),
            "t2d:ci=8,co=8,h=9,w=9,k=3,d=2,g=8");
}

TEST(OperatorSpec, KeepsEpiloguesInOrder) {
  EXPECT_EQ(canonical_spec("gmm:m=1,n=1,k=1+bias+gelu+add+silu+sigmoid+tanh"),
            "gmm:m=1,n=1,k=1+bias+gelu+add+silu+sigmoid+tanh");
  EXPECT_EQ(canonical_spec("gmm:m=1,n=1,k=1+clip(-0.0,1.50)"), "gmm:m=1,n=1,k=1+clip(0,1.5)");
  EXPECT_EQ(canonical_spec("gmm:m=1,n=1,k=1+clip(-1e+30,1e30)+relu"),
            "gmm:m=1,n=1,k=1+clip(-1e30,1e30)+relu");
  EXPECT_EQ(canonical_spec("gmm:m=1,n=1,k=1+clip(0.1,0.30000000000000004)"),
            "gmm:m=1,n=1,k=1+clip(0.1,0.30000000000000004)");
  EXPECT_EQ(canonical_spec("gmm:m=1,n=1,k=1+clip(0,6)"), "gmm:m=1,n=1,k=1+relu6");
}

TEST(OperatorSpec, ReadsIntoFields) {
  const auto op = parse_operator("t2d:n=2,ci=4,co=6,h=5,w=7,k=4x3,s=2x1,p=1:2x0,op=1x0,g=2+bias");
  ASSERT_TRUE(op) << op.error().message;
  EXPECT_EQ(op->kind, OperatorKind::t2d);
  EXPECT_EQ(op->batch, 2);
  EXPECT_EQ(op->groups, 2);
  ASSERT_EQ(op->spatial.size(), 2u);
  EXPECT_EQ(op->spatial[0], (SpatialAxis{"h", 5, 4, 2, 1, 2, 1, 1}));
  EXPECT_EQ(op->spatial[1], (SpatialAxis{"w", 7, 3, 1, 0, 0, 0, 1}));
  EXPECT_TRUE(has_epilogue(*op, EpilogueKind::bias));
  EXPECT_FALSE(has_epilogue(*op, EpilogueKind::add));
}

TEST(OperatorShapes, FollowTheFrameworksConvention) {
  const auto conv = *parse_operator("c2d:n=2,ci=4,co=6,h=9,w=7,k=3x2,s=2,p=1,g=2+bias+add");
  EXPECT_EQ(logical_shape(conv, Operand::input), (Shape{2, 4, 9, 7}));
  EXPECT_EQ(logical_shape(conv, Operand::weight), (Shape{6, 2, 3, 2}));
  EXPECT_EQ(logical_shape(conv, Operand::bias), (Shape{6}));
  EXPECT_EQ(logical_shape(conv, Operand::addend), (Shape{2, 6, 5, 4}));
  EXPECT_EQ(logical_shape(conv, Operand::output), (Shape{2, 6, 5, 4}));
  EXPECT_EQ(input_operands(conv).size(), 4u);

  const auto transposed = *parse_operator("t2d:ci=4,co=6,h=4,w=5,k=4,s=2,p=1,op=1x0,g=2");
  EXPECT_EQ(logical_shape(transposed, Operand::weight), (Shape{4, 3, 4, 4}));
  EXPECT_EQ(logical_shape(transposed, Operand::output), (Shape{1, 6, 9, 10}));

  const auto product = *parse_operator("gmm:b=2,m=3,n=4,k=5,ta=1,tb=1+bias");
  EXPECT_EQ(logical_shape(product, Operand::input), (Shape{2, 5, 3}));
  EXPECT_EQ(logical_shape(product, Operand::weight), (Shape{2, 4, 5}));
  EXPECT_EQ(logical_shape(product, Operand::bias), (Shape{4}));
  EXPECT_EQ(logical_shape(product, Operand::output), (Shape{2, 3, 4}));
}

TEST(OperatorFlops, CountPaddingTapsInTheNominalFigure) {
  const auto conv = *parse_operator("c2d:ci=512,co=512,h=7,w=7,k=3,p=1");
  EXPECT_EQ(nominal_flops(conv), 2.0 * 512 * 512 * 49 * 9);
  EXPECT_EQ(real_tap_flops(conv), 2.0 * 512 * 512 * 19 * 19);  // 19 of 21 taps an axis
  const auto transposed = *parse_operator("t2d:ci=512,co=256,h=4,w=4,k=4,s=2,p=1");
  EXPECT_EQ(nominal_flops(transposed), 2.0 * 512 * 256 * 16 * 16);
  EXPECT_EQ(real_tap_flops(transposed), 2.0 * 512 * 256 * 14 * 14);
  const auto product = *parse_operator("gmm:b=2,m=3,n=5,k=7");
  EXPECT_EQ(nominal_flops(product), 420);
  EXPECT_EQ(real_tap_flops(product), 420);
}

TEST(OperatorFlops, RealTapsAgreeWithCountingThem) {
  for (int64_t extent = 1; extent <= 6; ++extent)
    for (int64_t kernel = 1; kernel <= 5; ++kernel)
      for (int64_t stride = 1; stride <= 3; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          Operator op{.kind = OperatorKind::c1d,
                      .in_channels = 1,
                      .out_channels = 1,
                      .spatial = {},
                      .epilogues = {}};
          op.spatial = {{"w", extent, kernel, stride, 2, 1, 0, dilation}};
          if (!canonical(op)) continue;
          const int64_t outputs = output_extent(op.spatial[0], false);
          int64_t taps = 0;
          for (int64_t i = 0; i < outputs; ++i)
            for (int64_t r = 0; r < kernel; ++r) {
              const int64_t read = i * stride + r * dilation - 2;
              taps += read >= 0 && read < extent;
            }
          EXPECT_EQ(real_tap_flops(op), 2.0 * static_cast<double>(taps)) << print(op);
        }
}

}  // namespace
}  // namespace dovetail
