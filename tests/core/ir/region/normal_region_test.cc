// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/normal_region.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/ir/region/region_text.h"
#include "core/ir/value/walk.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

constexpr const char* kSpecs[] = {
    "Y[n,c,h,w]max=X[n,c,2*h+r,2*w+s]:n=1,c=64,h=56,w=56,r=3,s=3",
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=8,j=4",
    "Y[i,j]=max(A[i,j]+B[j],0):i=128,j=64",
    "Y[n,c]=T[clamp(I[n],0,8),c]+T[clamp(J[n]-I[n],2,7),c]:n=5,c=6,T=9x6,I=i64,J=i32",
    "Y[i,j]=select(C[i,j]==1,A[i,j],B[j]):i=4,j=6,C=bool",
    "Y[n,c,h]=select(0<=c<3,A[n,c,h],B[n,c-3,h]):n=2,c=7,h=4",
    "Y[h]max=outside(X[h-1+k],7)*A[h]:h=6,k=2,X=4",
    "T[m,n]=max(sum(X[m,k]*W[k,n])+B[n],0);Y[m,n]=T[m,n]*T[m,n]:m=6,n=8,k=5,const=W.B",
    "Y[i]=select(A[i]<1&B[i]&(A[i]<B[i]&0<=A[i]),A[i],0):i=4,B=bool",
    "Y[i]=select(i<2&A[i]<1,select(A[i]==B[i]&1<=i,i,3),2*i+1):i=4",
    "Y[i]=quotient(A[i],B[i])+A[i]-integer(5):i=4,A=i64,B=i32,Y=i64",
    "Y[i]=abs(A[i])+real(A[i])*i-(-2):i=4,A=i64",
    "Y[i]=sum(X[i,k])/(1+exp(-sum(X[i,k])))*B[i]:i=4,k=3,const=B",
    "c2d:ci=4,co=8,h=6,w=6,k=3,p=1+relu",
    "gmm:m=4,n=4,k=8+relu",
    "Y[m,n]+=X[m,k]*W[k,n]:m=4,n=4,k=8",
};

// The same region with each computation's reads in the reverse order.
Region with_reads_reversed(Region region) {
  for (auto& [name, c] : region.computations) {
    const int last = static_cast<int>(c.reads.size()) - 1;
    const auto moved = [&](const Value& value) {
      return with_reads(value, [&](int position) { return ReadOf{last - position}; });
    };
    std::ranges::reverse(c.reads);
    c.element = moved(c.element);
    c.result = moved(c.result);
    for (GatherIndex& index : c.gathers) index.value = moved(index.value);
  }
  region.anchor.clear();
  region.op.reset();
  return region;
}

TEST(NormalRegion, IsWhatItsTextParsesTo) {
  for (const char* spec : kSpecs) {
    // A number beside integers is printed without its own type.
    const Region region = *parse_region(print(testing::right(parse_region(spec), spec)));
    EXPECT_EQ(testing::right(normalised(region), spec), region) << spec;
    const Region reversed = with_reads_reversed(region);
    const Region parsed = testing::right(parse_region(print(reversed)), spec);
    EXPECT_EQ(testing::right(normalised(reversed), spec), parsed) << spec;
  }
}

TEST(NormalRegion, FindsTheOperatorAndTheAnchor) {
  const Region product = *parse_region("Y[m,n]+=X[m,k]*W[k,n]:m=4,n=4,k=8");
  ASSERT_TRUE(product.op);
  Region unknown = product;
  unknown.op.reset();
  unknown.anchor.clear();
  EXPECT_EQ(normalised(unknown), product);
}

TEST(NormalRegion, RejectsTwoExtentsOfAnAxis) {
  Region region = *parse_region("B[i]=exp(A[i]);C[i]=A[i]+1:i=8");
  region.computations[1].computation.axes[0].extent = 4;
  EXPECT_ERROR(normalised(region), "axis i has two extents");
}

}  // namespace
}  // namespace dovetail
