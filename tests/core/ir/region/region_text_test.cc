// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region_text.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

std::string printed(std::string_view spec) {
  const Result<Region> region = parse_region(spec);
  return region ? print(*region) : region.error().message;
}

TEST(RegionText, PrintsWhatItParses) {
  for (const char* spec : {
           "Y[n,c,h,w]max=X[n,c,2*h+r,2*w+s]:n=1,c=64,h=56,w=56,r=3,s=3",
           "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=8,j=4",
           "Y[i,j]=max(A[i,j]+B[j],0):i=128,j=64",
           "Y[n,c]=T[clamp(I[n],0,8),c]:n=5,c=6,T=9x6,I=i64",
           "Y[i,j]=select(C[i,j]==1,A[i,j],B[j]):i=4,j=6,C=bool",
           "Y[n,c,h]=select(0<=c<3,A[n,c,h],B[n,c-3,h]):n=2,c=7,h=4",
           "Y[h]=outside(X[h-1],7):h=6,X=4",
           "T[m,n]=max(sum(X[m,k]*W[k,n])+B[n],0);Y[m,n]=T[m,n]*T[m,n]:m=6,n=8,k=5,const=W.B",
           "Y[i]=select(A[i]<1&B[i]&(A[i]<B[i]&0<=A[i]),A[i],0):i=4,B=bool",
           "Y[i]=quotient(A[i],B[i])+A[i]:i=4,A=i64,B=i32,Y=i64",
           "gmm:m=4,n=4,k=8+relu",
           "Y[m,n]+=X[m,k]*W[k,n]:m=4,n=4,k=8",
       })
    EXPECT_EQ(printed(printed(spec)), printed(spec)) << spec;
}

TEST(RegionText, SpacesAndWordsAreSpellings) {
  EXPECT_EQ(printed("Y[i, j] = relu(A[i, j] + B[j]) : i = 4, j = 6"),
            "Y[i,j]=max(A[i,j]+B[j],0):i=4,j=6");
  EXPECT_EQ(printed("Y[i]=quotient(A[i],2)*A[i]:i=4,A=i64"),
            "Y[i]=quotient(A[i],2)*A[i]:i=4,A=i64,Y=i64");
  // Conditions of data in parentheses stay as they are.
  const std::string nested = "Y[i]=select(A[i]<1&min(B[i],(C[i]<2)),A[i],0):i=4,B=bool";
  EXPECT_EQ(printed(nested), nested);
  EXPECT_EQ(printed("Y[i]=select(A[i]<1&(B[i]&C[i]<2),A[i],0):i=4,B=bool"), nested);
  EXPECT_EQ(printed("Y[h]=X[h div 2]:h=6"), printed("Y[h]=X[h/2]:h=6"));
  EXPECT_TRUE(parse_region("Y[i, j] += A[i, k] * B[k, j] : i=4, j=6, k=8 + relu")->op);
}

TEST(RegionText, KnowsWhatIsInnerAndWhatIsWorthTuning) {
  const Region region =
      *parse_region("S[i,j]+=A[i,k]*B[k,j];M[i]max=S[i,j];Y[i,j]=exp(S[i,j]-M[i]):i=6,j=8,k=5");
  EXPECT_EQ(region.anchor, "S");
  EXPECT_EQ(region.outputs, std::vector<std::string>{"Y"});
  EXPECT_TRUE(is_inner(region, "M"));
  EXPECT_FALSE(is_inner(region, "A"));
}

TEST(RegionText, SaysWhatIsWrong) {
  const auto fails = [](const char* spec, std::string_view message) {
    EXPECT_ERROR(parse_region(spec), message);
  };
  fails("Y[i]=A[i]", "has no extents");
  fails("Y[i]=A[i,j]:i=4,j=3", "axis j is no axis of it");
  fails("Y[i]=A[i]:i=4,i=5", "key i is given twice");
  fails("Y[i]=A[k]:i=4", "axis k has no extent; expected k=…");
  fails("Y[i]=sum(A[i]):i=4", "nothing is reduced");
  fails("Y[i]=sum(A[i,j])+max(B[i,j]):i=4,j=3", "a second reduction");
  fails("Y[i]=sum(A[i,j])+B[j]:i=4,j=3", "axis j is used where it is reduced already");
  fails("Y[i]=quotient(A[i],2):i=4", "a quotient of real numbers; expected integers");
  fails("Y[i]=foo(A[i]):i=4", "unknown function \"foo\"");
  fails("Y[i]=B[i];B[i]=A[i]:i=4", "B is read before it is made");
  fails("Y[i]=A[i];Y[i]=B[i]:i=4", "Y is made twice");
  fails("Y[i]=A[i]:i=4,Q=3", "key Q names no axis and no tensor");
  fails("Y[i]=A[i]:i=4,A=3xbf16", "expected f32, f16, i64, i32,");
  fails("Y[i]=A[i]:i=4,const=B", "const=B: no tensor that the region is given");
  fails("Y[i]=A[i:i=4", "expected");
}

}  // namespace
}  // namespace dovetail
