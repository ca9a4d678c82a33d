// SPDX-License-Identifier: Apache-2.0
//
// Regions without a product, of every kind that their spaces tell apart: small, with extents that
// vectors do not divide.
#pragma once

namespace dovetail::testing {

inline constexpr const char* kMemoryBoundSpecs[] = {
    "Y[n,c,h,w]=max(X[n,c,h,w]+Z[n,c,h,w],0):n=1,c=6,h=5,w=7",
    "Y[n,c,h,w]=X[n,c,h,w]*S[c]+T[c]:n=2,c=5,h=3,w=13",
    "Y[i,j]=X[i,j]/(1+exp(-X[i,j])):i=7,j=37",
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]=1/sum(E[i,j]);Y[i,j]=E[i,j]*D[i]:i=12,j=35",
    "M[i,k]max=S[i,j,k];E[i,j,k]=exp(S[i,j,k]-M[i,k]);D[i,k]+=E[i,j,k];Y[i,j,k]=E[i,j,k]/D[i,k]:"
    "i=2,j=5,k=24",
    "M[i]=sum(X[i,j])/37;V[i]=sum((X[i,j]-M[i])*(X[i,j]-M[i]))/37;"
    "Y[i,j]=(X[i,j]-M[i])*rsqrt(V[i]+0.001)*G[j]+B[j]:i=6,j=37",
    "Y[n,c,h,w]max=X[n,c,2*h+r-1,2*w+s-1]:n=1,c=32,h=4,w=4,r=3,s=3,X=1x32x7x8",
    "Y[n,c,h,w]=sum(X[n,c,h+r,w+s])/9:n=2,c=3,h=5,w=18,r=3,s=3,X=2x3x7x20",
    "Y[n,c]=sum(X[n,c,h,w])/49:n=2,c=6,h=7,w=7",
    "Y[j]=sum(X[i,j]):i=9,j=21",
    "Y[i]=sum(X[i,h,w,c]*X[i,h,w,c]):i=4,h=3,w=5,c=7",
    "Y[a,b,c]=X[b,a,c]:a=3,b=5,c=19",
    "Y[a,b,c]=X[a,c,b]:a=2,b=21,c=35",
    "Y[a,b,c,d]=X[d,c,b,a]:a=3,b=5,c=7,d=9",
    "Y[a,b,c,d,e]=X[a,e,b,c,d]:a=2,b=3,c=4,d=5,e=24",
    "Y[i,j]=X[j,i]:i=8,j=56",
    "Y[i,j]=T[clamp(I[i],0,8),j]:i=5,j=21,T=9x21",
    "Y[i,j]=T[i,clamp(I[j],0,8)]:i=5,j=21,T=5x9",
    "I[a,b]=tanh(A[a]);Y[b,a]=I[clamp(H[a],0,8),b]+sum(B[clamp(C[b,e],0,3)]):a=9,b=4,e=8,B=4",
    "Y[n,c,h]=select(c<3,A[n,c,h],B[n,c-3,h]):n=2,c=8,h=21,A=2x3x21,B=2x5x21",
    "Y[n,c,p]=select(c<18,A[n,c,p],B[n,p,c-18]):n=2,c=36,p=21,A=2x18x21,B=2x21x18",
    "Y[n,p,c]=select(c<32,A[n,p,c],select(c<48,B[n,c-32,p],C[n,p,c-48])):n=1,p=19,c=80,A=1x19x32,"
    "B=1x16x19,C=1x19x32",
    "Y[p,c,e]=select(e<1,A[p,c],B[p,c]):p=5,c=21,e=2",
    "Y[p,e,c]=select(e<1,A[p,c],select(e<2,B[c,p],C[p,c])):p=5,c=21,e=3",
    "Y[k,p,j,c]=select(2*k+j<3,A[p,16*k+8*j+c],B[16*k+8*j+c-24,p]):k=2,p=21,j=2,c=8,A=21x24,B=8x21",
    "Z[c,p]=select(c<18,A[c,p],B[p,c-18]);Y[c,p]=Z[c,p]*exp(Z[c,p]):c=36,p=21,A=18x21,B=21x18",
    "Z[i,j]=X[j,i];Y[i,j]=Z[i,j]*exp(Z[i,j]):i=20,j=21",
    "Y[i,j]=X[i,2*j+1]:i=5,j=9,X=5x20",
    "Y[i]=X[0]*2:i=1,X=1",
};

}  // namespace dovetail::testing
