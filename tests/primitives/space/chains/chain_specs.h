// SPDX-License-Identifier: Apache-2.0
//
// Chains of products of every kind that their space tells apart, small.
#pragma once

namespace dovetail::testing {

inline constexpr const char* kChainSpecs[] = {
    // inverted bottlenecks: stride 2, stride 1 with a residual, a batch
    "E[m,y,x]=min(max(sum(X[i,y,x]*U[m,i])+B[m],0),6);"
    "D[m,h,w]=relu(sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s]));Y[o,h,w]=sum(D[m,h,w]*Z[o,m])+A[o]"
    ":m=32,y=12,x=14,h=6,w=7,i=4,r=3,s=3,o=24,const=U.V.Z.A.B",
    "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i]));D[m,h,w]=relu(sum(E[m,h+r-1,w+s-1]*V[m,r,s]));"
    "Y[o,h,w]=sum(D[m,h,w]*Z[o,m])+R[o,h,w]"
    ":m=16,y=8,x=9,h=8,w=9,i=16,r=3,s=3,o=16,const=U.V.Z",
    "E[n,m,y,x]=relu(sum(X[n,i,y,x]*U[m,i]));D[n,m,h,w]+=E[n,m,h+r-1,w+s-1]*V[m,r,s];"
    "Y[n,o,h,w]+=D[n,m,h,w]*Z[o,m]:n=2,m=16,y=6,x=5,h=6,w=5,i=3,r=3,s=3,o=7,const=U.V.Z",
    // a convolution with windows in front, as in a network's first block
    "E[m,y,x]=relu(sum(X[i,2*y+p-1,2*x+q-1]*U[m,i,p,q]));D[m,h,w]+=E[m,h+r-1,w+s-1]*V[m,r,s]"
    ":m=16,y=8,x=8,h=8,w=8,i=3,p=3,q=3,r=3,s=3,X=3x16x16,const=U.V",
    // two products, nothing slides
    "E[i,j]=relu(sum(X[i,k]*U[k,j]));Y[i,l]+=E[i,j]*V[j,l]:i=12,j=32,k=5,l=9,const=U.V",
};

}  // namespace dovetail::testing
