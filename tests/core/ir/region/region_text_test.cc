// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

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

// `&` is of conditions: the least of two integers is compared as it is.
TEST(RegionText, ComparesWhatIsComparedItself) {
  const std::string least = "Y[i]=select(min(A[i],B[i])<2,C[i],0):i=4,A=i64,B=i8";
  EXPECT_EQ(printed(least), least);
  const std::string truths = "Y[i]=select(min(C[i],(A[i]<1))==B[i],A[i],0):i=4,C=bool,B=bool";
  EXPECT_EQ(printed(truths), truths);
  const std::string chain = "Y[i]=select((A[i]<1)==B[i],A[i],0):i=4,B=bool";
  EXPECT_EQ(printed(chain), chain);
}

TEST(RegionText, NamesOfChosenIndicesAreNobodyElses) {
  const std::string eleven =
      "Y[i]=T[clamp(A[i],0,1)]+T[clamp(B[i],0,2)]+T[clamp(C[i],0,3)]+T[clamp(D[i],0,4)]+"
      "T[clamp(E[i],0,5)]+T[clamp(F[i],0,6)]+T[clamp(G[i],0,7)]+T[clamp(H[i],0,8)]+"
      "T[clamp(J[i],0,9)]+T[clamp(K[i],0,10)]+T[clamp(L[i],0,11)+clamp(A[i],0,1)]:i=4,"
      "A=i8,B=i8,C=i8,D=i8,E=i8,F=i8,G=i8,H=i8,J=i8,K=i8,L=i8";
  EXPECT_EQ(printed(printed(eleven)), printed(eleven));
  EXPECT_NE(printed(eleven).find("clamp(K[i],0,10)"), std::string::npos) << printed(eleven);
  EXPECT_EQ(printed("Y[at0]=T[at0,clamp(Mat0[at0],0,1)]:at0=4,Mat0=i64"),
            "Y[at0]=T[at0,clamp(Mat0[at0],0,1)]:at0=4,Mat0=i64");
}

// No index depends on k, which is reduced nevertheless.
TEST(RegionText, AxesAlongWhichElementsAreAlikeAreCounted) {
  EXPECT_EQ(printed("Y[i]+=X[i,k/9]*Z[j]:i=4,j=3,k=5"), printed("Y[i]+=X[i,0]*Z[j]*5:i=4,j=3"));
  EXPECT_EQ(printed("Y[i]*=X[i,k/9]:i=4,k=5"), printed("Y[i]=pow(X[i,0],5):i=4"));
  EXPECT_EQ(printed("Y[i]max=X[i,k/9]:i=4,k=5"), "Y[i]=outside(X[i,0],-inf):i=4");
  EXPECT_EQ(printed("Y[i]=sum(X[i,k%1])/5:i=4,k=5"), printed("Y[i]=X[i,0]*5/5:i=4"));
}

// Beyond A the minimum takes what changes nothing, and the difference takes 0.
TEST(RegionText, AnElementAndAResultReadTheirOwnValuesBeyondATensor) {
  const std::string spec = "Y[d]=min(max(A[d-1]*B[e],0.5))-A[d-1]:d=4,e=8";
  EXPECT_EQ(printed(printed(spec)), printed(spec));
  const Region region = testing::right(parse_region(spec), spec);
  std::vector<double> beyond;
  for (const Access& read : region.computations[0].computation.reads)
    if (read.tensor == "A") beyond.push_back(read.outside);
  EXPECT_EQ(beyond, (std::vector{std::numeric_limits<double>::infinity(), 0.0}));
  const std::string inside = "Y[d]=min(A[d]*B[e])-A[d]:d=4,e=8";
  EXPECT_EQ(testing::right(parse_region(inside), inside).computations[0].computation.reads.size(),
            2U);
}

// An index that became a number is an integer as before, and says so where nothing beside it does.
TEST(RegionText, AnIndexStaysAnInteger) {
  EXPECT_EQ(printed("Y[a]=a*0:a=4"), "Y[a]=integer(0):a=4,Y=i64");
  EXPECT_EQ(printed("Y[a]=2*abs((a-1)*0):a=4"), "Y[a]=2*abs(integer(0)):a=4,Y=i64");
  EXPECT_EQ(printed("Y[a]=select(A[a]<1,a*0,a*0-3):a=4"),
            "Y[a]=select(A[a]<1,integer(0),integer(-3)):a=4,Y=i64");
  EXPECT_EQ(printed("Y[a]=A[a]*(a*0-2):a=4,A=i64"), "Y[a]=A[a]*(-2):a=4,A=i64,Y=i64");
  EXPECT_EQ(printed("Y[a]=sum(b*0+2):a=4,b=3"), "Y[a]=integer(6):a=4,Y=i64");
  EXPECT_EQ(printed("Y[a]=sum(X[a,b/3]):a=4,b=3,X=4x1xi64"), "Y[a]=X[a,0]*3:a=4,X=i64,Y=i64");
}

TEST(RegionText, ANumberOfNumbersNeedsNoKeys) {
  EXPECT_EQ(printed("Y[] = tanh(B[1]) :"), "Y[]=tanh(B[1]):");
  EXPECT_EQ(printed(printed("Y[] = tanh(B[1]) :")), "Y[]=tanh(B[1]):");
}

TEST(RegionText, KnowsWhatIsInnerAndWhatIsWorthTuning) {
  const Region region =
      *parse_region("S[i,j]+=A[i,k]*B[k,j];M[i]max=S[i,j];Y[i,j]=exp(S[i,j]-M[i]):i=6,j=8,k=5");
  EXPECT_EQ(region.anchor, "S");
  EXPECT_EQ(region.outputs, std::vector<std::string>{"Y"});
  EXPECT_TRUE(is_inner(region, "M"));
  EXPECT_FALSE(is_inner(region, "A"));
}

// A result that reads what is reduced twice is printed with it twice.
TEST(RegionText, MayRepeatItsReduction) {
  const char* const swish = "Y[i]=sum(A[i,j]*B[j])*max(sum(A[i,j]*B[j])+3,0):i=4,j=3";
  const Region region = testing::right(parse_region(swish));
  EXPECT_EQ(print(region), swish);
  EXPECT_EQ(region.computations[0].computation.reads.size(), 2u);
  EXPECT_EQ(testing::right(parse_region(print(region))), region);
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
  fails("Y[i]=sum(A[i,j])+sum(2*A[i,j]):i=4,j=3", "a second reduction");
  fails("Y[i]=sum(A[i,j])+max(A[i,j]):i=4,j=3", "a second reduction");
  fails("Y[i]=sum(A[i,j])+B[j]:i=4,j=3", "axis j is used where it is reduced already");
  fails("Y[i]=sum(A[i,j])+B[clamp(I[j],0,3)]:i=4,j=3,I=i64", "axis j is used where it is reduced");
  fails("Y[i]=sum(A[i,j])+B[clamp(C[clamp(I[j],0,3)],0,3)]:i=4,j=3,I=i64,C=i64",
        "axis j is used where it is reduced");
  fails("Y[i]=outside(A[i-1],0.5):i=4,A=i32",
        "0.5 beyond A, which is i32; expected a whole number");
  fails("Y[i]=quotient(A[i],2):i=4", "a quotient of real numbers; expected integers");
  fails("Y[i]=foo(A[i]):i=4", "unknown function \"foo\"");
  fails("Y[i]=B[i];B[i]=A[i]:i=4", "B is read before it is made");
  fails("Y[i]=A[i];Y[i]=B[i]:i=4", "Y is made twice");
  fails("Y[i]=A[i]:i=4,Q=3", "key Q names no axis and no tensor");
  fails("Y[i]=A[i]:i=4,A=3xu64", "expected f32, f16, i64, i32,");
  fails("Y[i]=A[i]:i=4,const=B", "const=B: no tensor that the region is given");
  fails("Y[i]=A[i:i=4", "expected");
}

}  // namespace
}  // namespace dovetail
