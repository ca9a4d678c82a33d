// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/split_factors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/ir/region/region_text.h"
#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;
using testing::right;

constexpr const char* kInParts = "gmm:m=3,n=8,k=16,math=tf32x2+bias+relu";

Trace split_in(int64_t products) {
  Trace trace;
  trace.algorithm = algorithm::SplitFactors{.products = products};
  return trace;
}

TEST(SplitFactors, MakesThreeStages) {
  const Schedule schedule = right(apply(split_in(3), operator_of(kInParts), cpu()));
  EXPECT_EQ(testing::print_stages(schedule),
            "W.split once: for part<2, b<1, k<16, n<8: W.split[part, b, k, n] = "
            "(0 <= part < 1) ? W[b, k, n] : W[b, k, n] - tf32(W[b, k, n])\n"
            "X.split: for part<2, b<1, m<3, k<16: X.split[part, b, m, k] = "
            "(0 <= part < 1) ? X[b, m, k] : X[b, m, k] - tf32(X[b, m, k])\n"
            "gmm: for b<1, m<3, n<8: Y[b, m, n] = max(sum(pair<3, k<16; "
            "tf32(X.split[(pair div 2), b, m, k]) * tf32(W.split[(pair mod 2), b, k, n])) + "
            "bias[n], 0)\n");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(SplitFactors, ComputesWhatTheDefinitionDoes) {
  for (const char* spec : {kInParts, "gmm:m=3,n=8,k=16,math=tf32x2,b_const=0",
                           "c2d:n=2,ci=4,co=3,h=6,w=5,k=3,s=2,p=1,math=tf32x2+bias",
                           "grp:ci=4,co=6,h=5,w=5,k=3,p=1,g=2,math=tf32x2",
                           "t2d:ci=3,co=4,h=4,w=4,k=4,s=2,p=1,math=tf32x2",
                           "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,math=tf32x2+bias"})
    for (const int64_t products : {3, 4}) {
      const Trace trace = split_in(products);
      const Program program = right(lowered(operator_of(spec), trace, cpu()), spec);
      EXPECT_EQ(parse_program(print(program)), program);
      EXPECT_TRUE(computes(operator_of(spec), trace, program)) << spec;
    }
}

TEST(SplitFactors, NamesWhatItCannotSplit) {
  const auto refusal = [](const char* spec, int64_t products) {
    return apply(split_in(products), operator_of(spec), cpu());
  };
  EXPECT_ERROR(refusal(kInParts, 2), "products=2, expected 3 or 4");
  for (const char* spec : {"gmm:m=3,n=8,k=16", "gmm:m=3,n=8,k=16,math=tf32"})
    EXPECT_ERROR(refusal(spec, 3), "expected a sum of products of two factors in tf32x2");
  const Region square =
      right(parse_region("Y[m,n]=relu(sum(tf32x2(X[m,k])*tf32x2(X[n,k]))):"
                         "m=4,n=4,k=8"));
  EXPECT_ERROR(plan_stages(square, algorithm::SplitFactors{3}), "expected two tensors");
}

}  // namespace
}  // namespace dovetail
