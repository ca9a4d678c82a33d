// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/nvidia.h"

namespace dovetail {
namespace {

constexpr std::string_view kWarp = "t g", kWarpgroup = "t g w";
constexpr std::string_view kPairs = "A.k=1 B.k=1";
// Operands in a group's memory as blocks of 8 rows by 8 elements, 16 bytes a row, one after another
// anywhere: the form without swizzle, along k.
constexpr std::string_view kBlocks = "A.k=1 A.g=8 A.w=2*r B.k=1 B.c=8 B.t=16";

}  // namespace

// PTX ISA, "Matrix Fragments for mma.m16n8k16": of the 16 by 8 sums, work-item 4*g + t of a warp
// has those of rows g and g + 8 and of columns 2*t and 2*t + 1. Products are exact; the sums of
// sixteen of them may be truncated where f32 rounds.
//
// "Register Fragments and Shared Memory Matrix Layouts" of wgmma: warp w of four has sixteen of the
// 64 rows, and of each eight columns j what mma has.
std::span<const IntrinsicRow> nvidia_intrinsics() {
  static constexpr IntrinsicRow kRows[] = {
      {"mma.m16n8k16_f16", "C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16,A=f16,B=f16",
       "sm_80", kWarp, kPairs},
      {"mma.m16n8k16_bf16", "C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16,A=bf16,B=bf16",
       "sm_80", kWarp, kPairs},
      {"wgmma.m64n16k16_f16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=2,t=4,c=2,h=2,k=8,A=f16,B=f16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n32k16_f16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=4,t=4,c=2,h=2,k=8,A=f16,B=f16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n64k16_f16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=8,t=4,c=2,h=2,k=8,A=f16,B=f16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n128k16_f16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=16,t=4,c=2,h=2,k=8,A=f16,B=f16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n256k16_f16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=32,t=4,c=2,h=2,k=8,A=f16,B=f16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n16k16_bf16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=2,t=4,c=2,h=2,k=8,A=bf16,B=bf16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n32k16_bf16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=4,t=4,c=2,h=2,k=8,A=bf16,B=bf16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n64k16_bf16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=8,t=4,c=2,h=2,k=8,A=bf16,B=bf16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n128k16_bf16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=16,t=4,c=2,h=2,k=8,A=bf16,B=bf16",
       "sm_90a", kWarpgroup, kBlocks},
      {"wgmma.m64n256k16_bf16",
       "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j=32,t=4,c=2,h=2,k=8,A=bf16,B=bf16",
       "sm_90a", kWarpgroup, kBlocks},
  };
  return kRows;
}

}  // namespace dovetail
