// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/compared_operator.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

Result<Operator> compared(const std::string& text) {
  return compared_operator(TRY(parse_region(text)));
}

TEST(ComparedOperator, IsTheRegionsOwn) {
  for (const char* spec : {"gmm:m=8,n=8,k=8", "c2d:ci=4,co=8,h=9,w=9,k=3,p=1+bias+relu"})
    EXPECT_EQ(compared(spec).value(), *parse_operator(spec));
}

TEST(ComparedOperator, IsNoneOfWrittenRegions) {
  for (const char* text : {"Y[n,c,h]max=A[n,c,2*h+r-1]:n=1,c=8,h=9,r=3,A=1x8x17",
                           "M[i]max=S[i,j];Y[i,j]=exp(S[i,j]-M[i]):i=36,j=50"})
    EXPECT_ERROR(compared(text),
                 "no peer runs a written region: compare its ONNX node by run MODEL --peer "
                 "(scripts/node-models)");
}

TEST(ComparedOperator, IsNoneWhereLibrariesHaveNoSuchOperation) {
  EXPECT_ERROR(compared("gmm:m=8,n=8,k=8,dtype=f16"), "only f32 is compared");
  EXPECT_ERROR(compared("c2d:ci=4,co=8,h=9,w=9,k=3+tail(@*min(max(@/6+0.5,0),1))"),
               "an operator with a tail, which no library has under a name");
  EXPECT_ERROR(compared("Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16+relu"),
               "a sum of one's own, which no library has under a name");
}

}  // namespace
}  // namespace dovetail
