// SPDX-License-Identifier: Apache-2.0
//
// The specs of regions: an operator's kind, a written sum, or a list of statements.
//
//   c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu          core/ir/operator/operator.h
//   Y[n,c,h,w]max=X[n,c,2*h+r,2*w+s]:n=1,c=64,h=56,w=56,r=3,s=3          max pooling
//   Y[i,j]=max(A[i,j]+B[j],0):i=128,j=64
//   M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=128,j=128      softmax
//
//   spec       := statement (';' statement)* ':' key=value (',' key=value)*      spaces anywhere
//   statement  := T[axis,…] ('=' | '+=' | 'max=' | 'min=' | '*=') VALUE
//   VALUE      has at most one of sum(V) max(V) min(V) prod(V) with one operand: V is the element,
//              the value around it the result, axes that T lacks are reduced. T[…]+=V is short for
//              T[…]=sum(V).
//   operations + - * / min(a,b) max(a,b) pow(a,b) exp log sqrt rsqrt tanh erf sin cos atan
//              floor abs; quotient(a,b) of integers, rounded towards zero;
//              relu sigmoid silu gelu clip(x,lo,hi); real integer boolean;
//              select(a<b,x,y) with < <= == of indices (bounds: x is not computed elsewhere) or of
//              data (both are computed); an axis by itself is its number
//   index      affine in the axes, e/c and e%c (rounded down), clamp(VALUE,0,hi): an index that
//              data choose (gather)
//   outside(X[…],v)   the value of an element beyond X; else 0, and for max= and min= their neutral
//                     value
//
// Keys: the extent of every axis; TENSOR=shape, where the tensor does not end with the last element
// that is read, or TENSOR=type, or both: X=1x64x56x56, I=32xi64, C=bool; const=W.B, the tensors
// that are known at build time.
//
// A region prints canonically: parse_region(print(region)) is the region.
#pragma once

#include <string>
#include <string_view>

#include "core/base/parsed_text.h"
#include "core/base/result.h"
#include "core/ir/region/region.h"

namespace dovetail {

// True if a spec begins like a statement, with a tensor and its axes: `Y[i]=…`. Any other spec
// begins with an operator's kind and a colon.
bool is_written(std::string_view spec);

// The error is one line with the text found, its position, and the text expected.
Result<Region> parse_region(std::string_view spec);
std::string print(const Region& region);
using RegionSpec = ParsedText<Region, parse_region>;

// A value of the computation as print(region) writes it, with the text `reduced` for `@`.
std::string print_written(const Computation& computation, const Value& value,
                          std::string_view reduced);

}  // namespace dovetail
