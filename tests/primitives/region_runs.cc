// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/region_runs.h"

#include <limits>

#include "core/ir/layout/pack.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/support/interpreter.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

constexpr const char* kSpecs[] = {
    // max and average pooling
    "Y[n,c,h,w]max=X[n,c,2*h+r-1,2*w+s-1]:n=1,c=5,h=4,w=3,r=3,s=3,X=1x5x7x6",
    "Y[n,c,h,w]=sum(X[n,c,2*h+r-1,2*w+s-1])/((min(2*h+2,7)-max(2*h-1,0))*"
    "(min(2*w+2,6)-max(2*w-1,0))):n=1,c=5,h=4,w=3,r=3,s=3,X=1x5x7x6",
    // softmax and layer norm
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=6,j=10",
    "M[i]=sum(X[i,j])/12;R[i]=rsqrt(sum((X[i,j]-M[i])*(X[i,j]-M[i]))/12+0.00001);"
    "Y[i,j]=(X[i,j]-M[i])*R[i]*G[j]+B[j]:i=5,j=12,const=G.B",
    // reductions over any axes
    "Y[n,c]=sum(X[n,c,h,w])/30:n=2,c=3,h=5,w=6",
    "Y[b,d]max=X[a,b,c,d]:a=3,b=4,c=5,d=2",
    "Y[h]*=X[h,c]:h=4,c=3",
    // elementwise chains with broadcasting
    "T[i,j]=relu(A[i,j]+B[j]);Y[i,j]=T[i,j]*sigmoid(T[i,j])+C[i]:i=6,j=7",
    "Y[i,j]=tanh(A[i,j])*0.5+pow(B[i],2)-log(C[j]):i=3,j=5",
    "Y[i,j]=select(C[i,j]==1,A[i,j],B[j]):i=4,j=6,C=bool",
    // moves of data
    "Y[a,b,c]=X[c,a,b]:a=3,b=4,c=5",
    "Y[n,c,h]=select(c<3,A[n,c,h],B[n,c-3,h]):n=2,c=7,h=4",
    "Y[n,c,h,w]=X[n,6*(h%2)+3*(w%2)+c,h/2,w/2]:n=1,c=3,h=4,w=6",
    "Y[h,w]=outside(X[h-1,w-2],7):h=6,w=8,X=4x4",
    "Y[n,c]=T[clamp(I[n],0,8),c]:n=5,c=6,T=9x6,I=5xi64",
    // a product's tail that reads a constant along a diagonal
    "Y[a,b,c]=tanh(sum(A[a,k]*B[k,c,b]))+D[c,a,c]:a=16,b=3,c=12,k=7,const=D",
    // an index of a result that another one chooses
    "T[b,a]=prod(A[b,d])+S[a,clamp(min(I[clamp(b,0,6)],J[b]),0,1)];"
    "Y[b,a]=max(T[b,a]*C[c]):a=3,b=7,c=4,d=2,I=7xu8,J=7xi16,S=3x2",
    // integers that are not there, of which one is
    "Y[a]min=min(Z[b],max(X[a-1],X[clamp(I[b],0,1)+1])):a=9,b=3,X=2xi64,I=3xi64,Z=3xi64",
    // types that are converted as they are read and written
    "Y[i]=sum(A[i,j]*B[j]):i=6,j=8,A=f64,B=f16,Y=f64",
    "T[i,j]=A[i,j]*3-B[j];Y[i,j]=T[i,j]+C[i,j]:i=4,j=16,A=i16,B=u16,C=u32,T=i32,Y=i16",
    "Y[i,j]=A[j,i]+B[i,j]:i=16,j=12,A=f64,B=f64,Y=f64",
    "Y[h]=X[clamp(h-2,0,5)]:h=10,X=6",
    "Y[i,j]=sum(A[i,k]*B[k,j])+C[j]:i=5,j=20,k=7,A=bf16,B=bf16,C=bf16,Y=bf16",
    "Y[m,n]=relu(sum(tf32(X[m,k])*tf32(W[k,n]))):m=9,n=24,k=17",
    "Y[m,n]=relu(sum(tf32x2(X[m,k])*tf32x2(W[k,n]))):m=9,n=24,k=17",
    "T[i,j]=tf32x2(A[i,j]*0.7)+B[j];Y[i]=sum(T[i,j]):i=6,j=16",
    "T[i,j]=tf32(A[i,j]*0.7)+B[j];Y[i]=sum(T[i,j]):i=6,j=16",
    "T[i,j]=bf16(A[i,j])*2+B[j];Y[i]=sum(T[i,j]):i=6,j=16,B=f16,T=bf16",
    // integers whose sums fit 32 bits, or are stored to them
    "Y[i,j]+=A[i,k]*B[k,j]:i=5,j=20,k=9,A=u8,B=i8,Y=i32",
    "Y[i,j]=real(sum((A[i,k]-3)*B[k,j]))*0.01:i=5,j=20,k=9,A=u8,B=i8",
    "Y[i]+=A[i,k]*B[k]:i=17,k=30,A=i32,B=i64,Y=i16",
    // data choose along an axis that is reduced, or for what is made of a sum
    "Y[i]+=T[clamp(I[k],0,9),i]:i=4,k=5,T=10x4,I=5xi64",
    "Y[i]=sum(T[clamp(I[k],0,9),i]*B[k]):i=4,k=5,T=10x4,I=5xi64",
    "Y[i]=sum(T[clamp(I[k,i],0,15)]*B[k,clamp(J[i],0,2)])+U[clamp(J[i],0,15)]:"
    "i=4,k=5,T=16,I=5x4xi32,J=4xi64",
    "Y[a]=tanh(min(real(A[b,a])*0.5-B[clamp(I[b],0,7)])*0.125)+C[a];"
    "Z[c,a]=tanh(prod(1+0.25*tanh(select(E[3*d]<=0,Y[clamp(F[e,a],1,15)-1],G[c,d])+H[d]))*0.125)+"
    "K[c]:a=16,b=3,c=2,d=2,e=3,A=3x16xi32,I=3xu8,F=3x16xi8",
    "Y[i,j]+=T[clamp(k-2,0,5),i]*B[k,j]:i=4,j=8,k=9,T=6x4",
    // beyond integers, of which none is infinite
    "Y[i]max=real(X[i+j-1]*2-9):i=8,j=3,X=8xi32",
    "Y[i]min=real(quotient(abs(X[i+j-1]*3)-9,2)):i=8,j=3,X=8xu8",
    "Y[i]max=select(X[2*i+j-3]-3<=Z[i],1,A[j]):i=8,j=3,X=9xi16,Z=8xi64",
    "Y[i]min=A[clamp(X[i+j-1]*2,0,8)]+real(X[i+j-1]):i=6,j=3,X=5xi64,A=9",
    "Y[a]=min(real(quotient(quotient(select(b<4,E[0],b-2),2),3))):b=5,a=16,E=u8",
    "Y[a,b]=min(abs(F[3*a]),select(a%3==1,G[a%3],3-a))*2:b=2,a=12,F=30xu16,G=u8",
    "Y[a]=max(real(quotient(select(b<4,E[b],3),2))):b=5,a=16,E=5xi32",
    "Y[a]=select(min(E[a],F[a-1])<3,A[a],0.5):a=9,E=i32,F=u8",
    // read at places that move apart
    "A[i,j]=X[i,j]*2;Y[j,i]=max(A[i,j]-A[j,i],A[i,i]+A[i/2,j]):i=8,j=8",
    // a minimum of integers in lanes, several rows at once
    "Y[a,c]min=(2*b-1)*E[0]:a=32,b=3,c=12,E=i16",
    // an axis as a number, of a tensor whose dimensions are read along one axis
    "A[i,j]=j*2;Y[k]=sum(A[k,l]+A[l,k]*3):i=8,j=8,k=8,l=8",
    // a product of numbers where an operand does not exist
    "Y[b]=sum(K[clamp(A[c],0,3)]+C[c,b]*3):b=7,c=7,C=6x4,A=i64",
    "Y[b,d]=sum((K[e,c]+C[c,b]*3)*D[e,d]):b=7,c=7,d=12,e=4,C=6x4",
    // a copy that ends before its source does, and one of a number
    "A[i]=X[i];Y[i]=A[i+1]*2:i=4,X=10",
    "A[i]=B[1];Y[i]=A[i+1]-A[i-1]*3:i=4",
    // no operand has axis a
    "Y[a,b]+=((0.25+A[c,b])*0.5+B[c]):a=8,b=16,c=5,const=A",
    "M[i]max=S[i,j];A[i]=min(select(S[i,j]==M[i],j,7)):i=4,j=7",
    // a halo between two of them
    "A[c,h,w]=relu(X[c,h,w]);Y[c,h,w]max=A[c,h+r-1,w+s-1]:c=3,h=6,w=5,r=3,s=3",
    "A[o,h]+=X[i,h+r-1]*W[o,i,r];Y[o,h]+=A[i,h+r-1]*V[o,i,r]:o=4,i=4,h=8,r=3,X=4x8,const=W.V",
    // a product with more behind it
    "S[i,j]+=A[i,k]*B[k,j];M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];"
    "Y[i,j]=E[i,j]/D[i]:i=6,j=8,k=5,const=B",
    "T[m,n]=relu(sum(X[m,k]*W[k,n])+B[n]);Y[m,n]=T[m,n]*T[m,n]+R[m,n]:m=6,n=8,k=5,const=W.B",
    // integers are reduced, and a real number is stored
    "M[i,j]=real(max(A[k,i,j]));Y[i]+=M[i,j]*B[j,i]:i=12,j=4,k=32,A=u32",
};

}  // namespace

const std::span<const char* const> kRegionSpecs = kSpecs;

Region written_region(std::string_view spec) { return right(parse_region(spec), spec); }

Result<Program> lowered(const Region& region, const Trace& trace, const Target& target) {
  return lower(TRY(apply(trace, region, target)), target);
}

::testing::AssertionResult are_right(const Region& region, const NamedArrays& inputs,
                                     const NamedArrays& outputs) {
  const RegionValues expected = evaluate_region(region, inputs);
  for (const std::string& name : region.outputs) {
    const auto found = outputs.find(name);
    if (found == outputs.end()) return ::testing::AssertionFailure() << name << " is not there";
    const BoundedTensor& tensor = expected.find(name)->second;
    for (size_t i = 0; i < tensor.values.size(); ++i) {
      const double number = found->second.real(i), wanted = tensor.values.real(i);
      if (agrees(number, wanted, tensor.errors[i])) continue;
      return ::testing::AssertionFailure()
             << name << ", element " << i << ": found " << number << ", expected " << wanted
             << " to within " << tensor.errors[i];
    }
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult computes(const Region& region, const Program& program) {
  if (const Result<void> verdict = verify(program); !verdict)
    return ::testing::AssertionFailure() << "not verified: " << verdict.error().message;
  const NamedArrays inputs = make_region_inputs(region, 1);
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    if (!is_input(buffer.role) && buffer.role != BufferRole::output) continue;
    std::vector<float>& physical = storage[buffer.name];
    physical.assign(static_cast<size_t>(storage_elements(buffer.layout)),
                    std::numeric_limits<float>::quiet_NaN());
    if (is_input(buffer.role)) pack(buffer.layout, floats_of(inputs.at(buffer.tensor)), physical);
  }
  if (const Result<void> ran = interpret(program, storage); !ran)
    return ::testing::AssertionFailure() << ran.error().message;
  NamedArrays outputs;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.role != BufferRole::output) continue;
    std::vector<float> logical(static_cast<size_t>(logical_elements(buffer.layout)));
    unpack(buffer.layout, storage.at(buffer.name), logical);
    outputs[buffer.tensor] = std::move(logical);
  }
  return are_right(region, inputs, outputs);
}

}  // namespace dovetail::testing
