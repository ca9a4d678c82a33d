// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/tails.h"

#include <gtest/gtest.h>

#include "tests/core/frontend/model_file.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::constant;
using testing::import_bytes;
using testing::model_bytes;
using testing::right;

Partition parts_of_text(const std::string& graph, const PartitionOptions& options = {}) {
  return right(partition(right(import_bytes(model_bytes(graph, 18)), graph), options), graph);
}

// The spec of the one region that a model is.
std::string one_region(const std::string& graph) {
  const Partition parts = parts_of_text(graph);
  if (parts.regions.size() != 1) return print(parts);
  EXPECT_TRUE(parts.regions[0].spec.value()) << parts.regions[0].spec.text();
  EXPECT_EQ(right(parse_graph(print(parts), "g")), parts.graph) << "prints and parses";
  return parts.regions[0].spec.text();
}

const std::string kConvThen = "g (float[1,4,8,8] x, float[4,4,3,3] w) => (y) { t = Conv(x, w) ";
const std::string kOfConv = "c2d:ci=4,co=4,h=8,w=8,k=3";

struct TailCase {
  const char *nodes, *tail;
};

TEST(Tails, WhatIsElementwiseJoinsAConvolution) {
  const TailCase kCases[] = {
      {"y = HardSwish(t)", "+tail(@*min(max(@/6+0.5,0),1))"},
      {"y = HardSigmoid<alpha = 0.25>(t)", "+tail(min(max(@*0.25+0.5,0),1))"},
      {"y = LeakyRelu<alpha = 0.1>(t)", "+tail(select(@<0,@*0.1,@))"},
      {"y = Elu(t)", "+tail(select(@<0,(exp(@)-1)*1,@))"},
      {"y = Softplus(t)", "+tail(max(@,0)+log(exp(0-abs(@))+1))"},
      {"y = Mish(t)", "+tail(@*tanh(max(@,0)+log(exp(0-abs(@))+1)))"},
      {"s = Softplus(t) h = Tanh(s) y = Mul(t, h)", "+tail(@*tanh(max(@,0)+log(exp(0-abs(@))+1)))"},
      {"y = Neg(t)", "+tail(0-@)"},
      {"r = Relu(t) y = Neg(r)", "+relu+tail(0-@)"},
      {"y = Cast<to = 6>(t)", "+tail(i32(@):Y=i32)"},
      {"s = Sigmoid(t) m = Mul(t, s) y = HardSigmoid(m)", "+silu+tail(min(max(@*0.2+0.5,0),1))"},
  };
  for (const auto& [nodes, tail] : kCases)
    EXPECT_EQ(one_region(kConvThen + nodes + " }"), kOfConv + tail) << nodes;
}

TEST(Tails, TensorsAreReadAlongTheOutputsAxes) {
  const TailCase kCases[] = {
      {"y = PRelu(t, s)", "+tail(select(@<0,@*A[o],@):const=A)"},
      {"y = Mul(t, s)", "+tail(@*A[o]:const=A)"},
      {"m = Mul(t, s) y = Add(m, b)", "+tail(@*A[o]+B[o]:const=A.B)"},
      {"d = Div(t, one) y = Sub(d, s)", "+tail(@/A[0]-B[o]:const=A.B)"},
      {"h = HardSwish(t) y = Add(h, r)", "+tail(@*min(max(@/6+0.5,0),1)+A[n,o,h,w])"},
      {"a = Add(t, r) y = HardSwish(a)", "+add+tail(@*min(max(@/6+0.5,0),1))"},
      {"y = Mul(t, row)", "+tail(@*A[w])"},
      {"z = Add(t, s) a = Add(z, r) y = Sub(a, r)", "+bias+add+tail(@-A[n,o,h,w])"},
      {"y = Where(mask, t, r)", "+tail(select(A[n,o,h,w],@,B[n,o,h,w]):A=bool)"},
      {"y = Max(t, r)", "+tail(max(@,A[n,o,h,w]))"},
  };
  const std::string begin =
      "g (float[1,4,8,8] x, float[4,4,3,3] w, float[1,4,6,6] r, float[1,1,1,6] row,"
      " bool[1,4,6,6] mask) => (y) { " +
      constant("s", {4, 1, 1}, {1, 2, 3, 4}) + constant("b", {1, 4, 1, 1}, {4, 3, 2, 1}) +
      constant("one", {1}, {3}) + " t = Conv(x, w) ";
  for (const auto& [nodes, tail] : kCases)
    EXPECT_EQ(one_region(begin + nodes + " }"), kOfConv + tail) << nodes;
}

TEST(Tails, OfEveryKindOfOperator) {
  EXPECT_EQ(one_region("g (float[1,4,5,5] x, float[4,3,2,2] w) => (y) {"
                       " t = ConvTranspose<strides = [2,2]>(x, w) y = LeakyRelu(t) }"),
            "t2d:ci=4,co=3,h=5,w=5,k=2,s=2+tail(select(@<0,@*0.01,@))");
  EXPECT_EQ(one_region("g (float[1,4,5,5] x, float[6,2,3,3] w) => (y) { " +
                       constant("s", {6, 1, 1}, {1, 2, 3, 4, 5, 6}) +
                       " t = Conv<group = 2>(x, w) y = PRelu(t, s) }"),
            "grp:ci=4,co=6,h=5,w=5,k=3,g=2+tail(select(@<0,@*A[g,o],@):const=A)");
  EXPECT_EQ(one_region("g (float[2,3,8] x, float[8,5] w, float[2,3,5] r) => (y) {"
                       " t = MatMul(x, w) h = HardSwish(t) y = Mul(h, r) }"),
            "gmm:m=6,n=5,k=8,b_const=0+tail(@*min(max(@/6+0.5,0),1)*A[b,m,n])");
}

TEST(Tails, QuantizationJoins) {
  const std::string begin =
      "g (float[3,8] x, float[8,5] w, float[5] b, float s, uint8 z) => (y) { p = MatMul(x, w) "
      "t = Add(p, b) ";
  const std::string bytes = one_region(begin + "y = QuantizeLinear(t, s, z) }");
  EXPECT_TRUE(bytes.starts_with("gmm:m=3,n=5,k=8")) << bytes;
  EXPECT_TRUE(bytes.find("Y=u8") != std::string::npos) << bytes;
  const std::string reals =
      one_region(begin + "q = QuantizeLinear(t, s, z) y = DequantizeLinear(q, s, z) }");
  EXPECT_TRUE(reals.starts_with("gmm:m=3,n=5,k=8")) << reals;
  EXPECT_EQ(reals.find("Y="), std::string::npos) << reals;
  EXPECT_TRUE(
      one_region(kConvThen.substr(0, kConvThen.find(") =>")) +
                 ", float s, uint8 z) => (y) { t = Conv(x, w) y = QuantizeLinear(t, s, z) }")
          .starts_with(kOfConv + "+tail("));
}

size_t regions_in(const std::string& graph, const PartitionOptions& options = {}) {
  return parts_of_text(graph, options).regions.size();
}

TEST(Tails, TwoReadersEndOne) {
  EXPECT_EQ(regions_in("g (float[1,4,8,8] x, float[4,4,3,3] w) => (y, z) { t = Conv(x, w)"
                       " y = HardSwish(t) z = MaxPool<kernel_shape = [2,2]>(t) }"),
            3u);
  EXPECT_EQ(regions_in("g (float[1,4,8,8] x, float[4,4,3,3] w) => (y, t) { t = Conv(x, w)"
                       " y = HardSwish(t) }"),
            2u)
      << "an output of the graph";
  EXPECT_EQ(regions_in("g (float[1,4,8,8] x, float[4,4,3,3] w) => (y, s) { t = Conv(x, w)"
                       " s = Softplus(t) y = Mul(t, s) }"),
            3u)
      << "a way that does not come back";
}

TEST(Tails, AnotherShapeEndsOne) {
  EXPECT_EQ(regions_in("g (float[1,4,8,8] x, float[4,4,3,3] w, float[2,4,6,6] r) => (y) {"
                       " t = Conv(x, w) y = Mul(t, r) }"),
            2u);
  EXPECT_EQ(regions_in("g (float[1,4,8,8] x, float[4,4,3,3] w) => (y) {"
                       " t = Conv(x, w) f = Flatten(t) y = HardSwish(f) }"),
            3u);
}

// Storing the tensor between two nodes rounds it (f16) or wraps it (u8).
TEST(Tails, ATensorThatRoundsEndsOne) {
  EXPECT_EQ(regions_in(kConvThen + "h = Cast<to = 10>(t) y = Cast<to = 1>(h) }"), 2u);
  EXPECT_EQ(regions_in(kConvThen + "h = Cast<to = 2>(t) y = Cast<to = 1>(h) }"), 2u);
}

TEST(Tails, WithoutValuesOnlyNamesJoin) {
  const std::string graph = kConvThen + "r = Relu(t) y = HardSwish(r) }";
  EXPECT_EQ(regions_in(graph), 1u);
  const Partition parts = parts_of_text(graph, {.tail_values = false});
  ASSERT_EQ(parts.regions.size(), 2u);
  EXPECT_EQ(parts.regions[0].spec.text(), kOfConv + "+relu");
}

TEST(Tails, TheRestOfALongChainStaysApart) {
  std::string nodes;
  for (int i = 0; i < 12; ++i)
    nodes += "t" + std::to_string(i + 1) + " = HardSwish(" +
             (i == 0 ? "t" : "t" + std::to_string(i)) + ") ";
  const Partition parts = parts_of_text(kConvThen + nodes + "y = Neg(t12) }");
  EXPECT_TRUE(parts.regions[0].spec.text().starts_with(kOfConv + "+tail("));
  EXPECT_LT(parts.regions[0].spec.text().size(), 4096u) << "a tail doubles with each node of them";
}

}  // namespace
}  // namespace dovetail
