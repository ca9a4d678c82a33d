// SPDX-License-Identifier: Apache-2.0
//
// Networks with tails on this CPU, by default traces and by random points, against the reference.
#include <gtest/gtest.h>

#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// A residual block with gates: of one number a channel, of a row, of the whole shape.
constexpr const char* kGatedBlock =
    "input x: f32[1,16,8,8]\ninput gate: f32[1,32,1,1]\ninput row: f32[8]\n"
    "constant w1: f32[32,16,3,3]\nconstant b1: f32[32]\nconstant w2: f32[32,32,3,3]\n"
    "constant w3: f32[32,1,3,3]\nconstant w4: f32[16,32,1,1]\nconstant slope: f32[32,1,1]\n"
    "constant w5: f32[16,4,2,2]\n"
    "node c1 = complex c2d:ci=16,co=32,h=8,w=8,k=3,p=1+bias (x, w1, b1) -> t: f32[1,32,8,8]\n"
    "node h1 = elementwise HardSwish (t) -> u: f32[1,32,8,8]\n"
    "node c2 = complex c2d:ci=32,co=32,h=8,w=8,k=3,p=1 (u, w2) -> v: f32[1,32,8,8]\n"
    "node p2 = elementwise PRelu (v, slope) -> v2: f32[1,32,8,8]\n"
    "node a2 = elementwise Add (v2, u) -> v3: f32[1,32,8,8]\n"
    "node g2 = elementwise Mul (v3, gate) -> v4: f32[1,32,8,8]\n"
    "node c3 = complex dep:c=32,h=8,w=8,k=3,p=1 (v4, w3) -> d: f32[1,32,8,8]\n"
    "node s3 = elementwise Softplus (d) -> d1: f32[1,32,8,8]\n"
    "node t3 = elementwise Tanh (d1) -> d2: f32[1,32,8,8]\n"
    "node m3 = elementwise Mul (d, d2) -> d3: f32[1,32,8,8]\n"
    "node c4 = complex c2d:ci=32,co=16,h=8,w=8,k=1 (d3, w4) -> e: f32[1,16,8,8]\n"
    "node m4 = elementwise Mul (e, row) -> e1: f32[1,16,8,8]\n"
    "node c5 = complex t2d:ci=16,co=4,h=8,w=8,k=2,s=2 (e1, w5) -> f: f32[1,4,16,16]\n"
    "node l5 = elementwise LeakyRelu (f) -> y: f32[1,4,16,16]\n"
    "output y\n";

TEST(NetworkTails, AreRegionsOfTheirOperators) {
  const Partition parts = parts_of(kGatedBlock);
  EXPECT_EQ(parts.regions.size(), 5u) << print(parts);
  EXPECT_TRUE(runs_right(parts));
}

TEST(NetworkTails, RunRightByPointsOfEachSpace) {
  const Partition parts = parts_of(kGatedBlock);
  for (uint64_t seed = 0; seed < 6; ++seed)
    EXPECT_TRUE(
        runs_right(parts, right(testing::lowered_network(
                              parts, cpu_here(), testing::random_traces_of(cpu_here(), seed)))))
        << seed;
}

// An operator with a tail has the algorithms that it has without.
TEST(NetworkTails, HaveEachAlgorithmOfTheOperator) {
  const auto algorithms = [](const std::string& spec) {
    const Operator op = right(parse_operator(spec), spec);
    const Border plain = framework_border(region_of(op));
    return right(build_space({op, plain}, cpu_here())).parameters().front().labels;
  };
  for (const std::string spec :
       {"c2d:ci=32,co=32,h=8,w=8,k=3,p=1+bias", "c2d:ci=32,co=16,h=8,w=8,k=1",
        "gmm:m=16,n=48,k=64+bias", "dep:c=32,h=8,w=8,k=3,p=1"})
    EXPECT_EQ(algorithms(spec), algorithms(spec + "+tail(@*min(max(@/6+0.5,0),1))"));
}

}  // namespace
}  // namespace dovetail
