// SPDX-License-Identifier: Apache-2.0
//
// Operators for the property tests of this folder: odd extents, partial tiles, borders, strides
// and dilations; few elements.
#pragma once

#include <cstddef>
#include <string_view>

namespace dovetail::testing {

inline constexpr const char* kOddSpecs[] = {
    "c2d:ci=3,co=7,h=7,w=7,k=3,p=1",
    "c2d:ci=4,co=8,h=8,w=6,k=3x1,p=1:0x0+relu",
    "c2d:n=2,ci=3,co=5,h=7,w=5,k=3,s=2,p=1+bias+relu",
    "c2d:ci=1,co=13,h=5,w=7,k=2,p=0:1x1:0+bias",
    "c2d:ci=6,co=17,h=4,w=4,k=1+bias+add+relu",
    "c2d:ci=8,co=4,h=7,w=7,k=1,s=2",
    "c2d:ci=2,co=3,h=13,w=3,k=7x3,s=2x1,p=3x1+relu6",
    "dil:ci=3,co=4,h=7,w=9,k=3,p=2,d=2+add",
    "dil:ci=2,co=8,h=9,w=7,k=2x3,s=1x2,p=0:3x2,d=3x2+clip(-5,9)",
    "c1d:ci=7,co=6,w=17,k=3,s=2,p=1+bias",
    "c1d:n=2,ci=4,co=1,w=13,k=4,p=2:1",
    "c3d:ci=2,co=4,depth=3,h=4,w=5,k=3x3x2,p=1x1x0+relu",
    "c3d:ci=3,co=9,depth=2,h=3,w=5,k=1+add",
    "c3d:ci=1,co=3,depth=4,h=3,w=3,k=2,s=2x1x1,p=1",
    "gmm:m=7,n=13,k=17",
    "gmm:b=2,m=5,n=6,k=4,ta=1+bias",
    "gmm:m=12,n=16,k=8,tb=1,b_const=0+add",
    "gmm:b=3,m=3,n=7,k=6,ta=1,tb=1,b_const=0+relu",
    "gmm:m=1,n=9,k=10+bias+relu",
    "gmm:m=8,n=1,k=6",
    "grp:ci=6,co=9,h=7,w=5,k=3,p=1,g=3+bias+relu",
    "grp:n=2,ci=8,co=20,h=5,w=6,k=1,s=1x2,g=2+add",
    "grp:ci=36,co=18,h=4,w=5,k=3x2,p=1:0x1,d=1x2,g=18+bias",
    "grp:ci=12,co=4,h=5,w=4,k=2,s=2,p=1,g=4+relu",
    "c1d:n=2,ci=9,co=6,w=13,k=3,p=2,d=2,g=3+bias",
    "c3d:ci=4,co=4,depth=3,h=4,w=3,k=2x3x1,p=1x1x0,g=2+relu",
    "dep:c=7,h=7,w=9,k=3,p=1+bias+relu",
    "dep:n=2,c=19,h=5,w=6,k=3x2,s=2x1,p=1:0x0:2+add",
    "dep:c=5,m=3,h=6,w=5,k=3,p=1,d=2x1+bias+relu6",
    "dep:c=2,m=17,h=4,w=4,k=2,s=2+bias",
    "c1d:ci=6,co=12,w=11,k=4,p=1:2,g=6+bias",
    "c3d:ci=5,co=5,depth=3,h=4,w=4,k=3x1x2,s=1x2x1,p=1x0x1,g=5",
    "t2d:ci=3,co=5,h=3,w=4,k=4,s=2,p=1+bias+relu",
    "t2d:n=2,ci=4,co=3,h=4,w=3,k=3,s=2,p=1,op=1x0+add",
    "t2d:ci=2,co=18,h=3,w=3,k=3x5,s=3x2,p=0:1x2:1+relu6",
    "t2d:ci=3,co=2,h=3,w=4,k=3,s=2x3,p=1,d=3x2+bias",
    "t2d:ci=2,co=3,h=4,w=3,k=3x2,s=2x4,p=1x0,d=2x2+bias",
    "t2d:ci=6,co=4,h=3,w=1,k=2x1,s=2x1,g=2+bias+relu",
    "t2d:ci=4,co=8,h=2,w=3,k=1x3,s=2,g=4,op=1",
    "t2d:ci=5,co=5,h=3,w=2,k=3,s=2,p=1,g=5+bias",
    "t2d:ci=2,co=3,h=4,w=4,k=3,p=1,d=2",
    "t3d:ci=2,co=3,depth=2,h=3,w=2,k=4x3x2,s=2,p=1x1x0+relu",
    "t3d:ci=3,co=1,depth=2,h=2,w=5,k=2x4x4,s=1x2x2,p=0x1x1+bias",
    "Y[n,o,h,w]+=X[n,i,h+r-1,s+w-1]*W[o,i,r,s]:n=1,o=6,h=5,w=7,i=3,r=3,s=3,X=1x3x5x7+bias+relu",
    "Y[b,m,n]+=X[m,b,k]*W[n,k,b]:b=3,m=4,n=5,k=6,b_const=0+add",
    "Y[m,n]+=X[m,k,l]*W[k,l,n]:m=3,n=18,k=5,l=4+bias",
    "Y[n,w,c]+=X[n,3*r+2*w-2,c]*W[r,c]:n=2,w=5,c=17,r=3,X=2x9x17",
    "Y[h,w]+=X[h,k]*W[w]:h=5,w=6,k=3",
    "Y[m]+=X[m,k]*W[k]:m=19,k=11+relu",
};
// Their outputs are rounded, so that only a check with a tolerance can judge them.
inline constexpr const char* kHalfSpecs[] = {
    "c2d:ci=9,co=20,h=7,w=5,k=3,p=1,dtype=f16+bias+relu",
    "dep:c=19,h=5,w=6,k=3x2,s=2x1,p=1:0x0:2,dtype=f16",
    "gmm:b=2,m=5,n=18,k=33,ta=1,dtype=f16+gelu",
    "Y[m,n]+=X[m,k,l]*W[k,l,n]:m=3,n=18,k=5,l=4,dtype=f16+bias",
};
inline constexpr size_t kNumPlanes = 9;     // the first ones: convolutions over h and w
inline constexpr size_t kFirstGroups = 20;  // from here on: grouped and depthwise
inline constexpr size_t kFirstTransposed = 32;
inline constexpr size_t kFirstWritten = 43;  // sums that users write down
static_assert(std::string_view(kOddSpecs[kNumPlanes]).starts_with("c1d:"));
static_assert(std::string_view(kOddSpecs[kFirstGroups]).starts_with("grp:"));
static_assert(std::string_view(kOddSpecs[kFirstTransposed]).starts_with("t2d:"));
static_assert(std::string_view(kOddSpecs[kFirstWritten]).starts_with("Y["));

// Tails that no named epilogue covers, over each kind of axes: HardSwish, PRelu by channels and by
// one slope, a residual behind an activation, Mish, bytes, a mask.
inline constexpr const char* kSpecsWithTails[] = {
    "c2d:ci=16,co=16,h=8,w=8,k=3,p=1+bias+tail(@*min(max(@/6+0.5,0),1))",
    "c2d:ci=3,co=7,h=7,w=7,k=3,p=1+tail(select(@<0,@*A[o],@):const=A)",
    "c2d:ci=16,co=17,h=4,w=4,k=1+bias+tail(@*min(max(@/6+0.5,0),1)+A[n,o,h,w])",
    "c1d:ci=7,co=6,w=17,k=3,s=2,p=1+bias+tail(@*tanh(max(@,0)+log(1+exp(0-abs(@)))))",
    "c3d:ci=2,co=4,depth=3,h=4,w=5,k=3x3x2,p=1x1x0+tail(select(@<0,@*A[0],@):const=A)",
    "grp:ci=6,co=9,h=7,w=5,k=3,p=1,g=3+tail(select(@<0,@*A[g,o],@):const=A)",
    "dep:c=19,h=5,w=6,k=3,p=1+bias+tail(@*A[n,c])",
    "dep:n=2,c=3,m=4,h=9,w=2,k=3x1,s=2,p=0x1:0+bias+tail(@-A[c,m,h,w])",
    "c2d:n=2,ci=3,co=17,h=5,w=4,k=3+bias+tail(@-A[o,h,w])",
    "c2d:n=2,ci=3,co=16,h=5,w=4,k=1+tail(@*A[o,h]+B[n,w])",
    "dil:ci=3,co=4,h=7,w=9,k=3,p=2,d=2+bias+tail(select(A[n,o,h,w],@,0-@):A=bool)",
    "t2d:ci=3,co=5,h=3,w=4,k=4,s=2,p=1+bias+tail(select(@<0,@*0.01,@))",
    "t3d:ci=2,co=3,depth=2,h=3,w=2,k=4x3x2,s=2,p=1x1x0+tail(abs(@))",
    "gmm:m=7,n=13,k=17+bias+tail(integer(min(max(floor(@/A[0]+0.5)+real(B[0]),0),255))"
    ":Y=u8,B=u8,const=A.B)",
    "gmm:b=2,m=12,n=16,k=8,tb=1,b_const=0+tail(@*A[0]+B[n]:const=A)",
    "Y[m,n]+=X[m,k,l]*W[k,l,n]:m=3,n=18,k=5,l=4+bias+tail(@*A[n]-B[m]:const=A)",
};

}  // namespace dovetail::testing
