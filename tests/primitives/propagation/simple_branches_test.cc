// SPDX-License-Identifier: Apache-2.0
#include "primitives/propagation/simple_branches.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "core/ir/region/task_spec.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

void expect_simple(const std::string& spec, const std::string& expected) {
  Region region = testing::written_region(spec);
  Computation& computation = region.computations[0].computation;
  computation = with_simple_branches(std::move(computation));
  EXPECT_EQ(right(parse_task_spec(print(region))), right(parse_task_spec(expected))) << spec;
}

TEST(SimpleBranches, BoundsSpeakOfTheCoarsestDigitsThatEndWhereTheyDo) {
  expect_simple("Y[a,h,b]=select(16*a+b<64,A[a,h,b],B[a-4,h,b]):a=6,h=5,b=16,A=4x5x16,B=2x5x16",
                "Y[a,h,b]=select(a<4,A[a,h,b],B[a-4,h,b]):a=6,h=5,b=16,A=4x5x16,B=2x5x16");
  expect_simple("Y[a,b]=select(16*a+b<40,A[16*a+b],B[16*a+b-40]):a=6,b=16,A=40,B=56",
                "Y[a,b]=select(16*a+b<40,A[16*a+b],B[16*a+b-40]):a=6,b=16,A=40,B=56");
}

TEST(SimpleBranches, AnAxisIsANumberWhereABoundLeavesItOne) {
  expect_simple("Y[p,c,e]=select(c+58*e<58,A[p,c+58*e],B[p,c+58*e-58]):p=3,c=58,e=2,A=3x58,B=3x58",
                "Y[p,c,e]=select(e<1,A[p,c],B[p,c]):p=3,c=58,e=2");
  expect_simple("Y[c,e]=select(e<1,A[c+5*e],select(e<2,B[c],C[c])):c=5,e=3,A=5,B=5,C=5",
                "Y[c,e]=select(e<1,A[c],select(e<2,B[c],C[c])):c=5,e=3");
}

TEST(SimpleBranches, ALongerAxisAndOneThatIsReadTwiceStay) {
  const std::string longer = "Y[p,c,e]=select(e<1,A[p,c],B[p,c+9*e-9]):p=3,c=9,e=3,A=3x9,B=3x18";
  expect_simple(longer, longer);
}

}  // namespace
}  // namespace dovetail
