// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/nvidia.h"

namespace dovetail {

// PTX ISA, "Matrix Fragments for mma.m16n8k16": of the 16 by 8 sums, work-item 4*g + t of a warp
// has those of rows g and g + 8 and of columns 2*t and 2*t + 1. Products are exact; the sums of
// sixteen of them may be truncated where f32 rounds.
std::span<const IntrinsicRow> nvidia_intrinsics() {
  static constexpr IntrinsicRow kRows[] = {
      {"mma.m16n8k16_f16", "C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16,A=f16,B=f16",
       "sm_80", "t g", "k"},
      {"mma.m16n8k16_bf16", "C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16,A=bf16,B=bf16",
       "sm_80", "t g", "k"},
  };
  return kRows;
}

}  // namespace dovetail
