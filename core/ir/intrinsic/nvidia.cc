// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/nvidia.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace dovetail {
namespace {

constexpr std::string_view kWarp = "t g", kWarpgroup = "t g w";
constexpr std::string_view kPairs = "A.k=1 B.k=1";
// Operands in a group's memory as blocks of 8 rows by 16 bytes, which lie anywhere one after the
// other: the form without swizzle, along k.
constexpr std::string_view kBlocks = "A.k=1 A.g=8 A.w=2*r B.k=1 B.c=8 B.t=16";
constexpr std::string_view kBlocksOfWords = "A.k=1 A.g=4 A.w=2*r B.k=1 B.c=4 B.t=8";

IntrinsicRow mma(ElementType type) {
  return {
      mma_of(type),
      fmt::format("C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16,A={0},B={0}", name_of(type)),
      "sm_80", kWarp, kPairs};
}

IntrinsicRow wgmma(ElementType type, int columns) {
  constexpr const char* kHalves =
      "C[w,r,g,j,t,c]+=A[w,r,g,h,k]*B[j,t,c,h,k]:w=4,r=2,g=8,j={0},t=4,c=2,h=2,k=8,A={1},B={1}";
  constexpr const char* kWords =
      "C[w,r,g,j,t,c]+=tf32(A[w,r,g,h,k])*tf32(B[j,t,c,h,k]):"
      "w=4,r=2,g=8,j={0},t=4,c=2,h=2,k=4";
  const bool is_of_words = type == ElementType::tf32;
  return {wgmma_of(type, columns),
          fmt::format(fmt::runtime(is_of_words ? kWords : kHalves), columns / 8, name_of(type)),
          "sm_90a", kWarpgroup, is_of_words ? kBlocksOfWords : kBlocks};
}

}  // namespace

std::string mma_of(ElementType type) { return fmt::format("mma.m16n8k16_{}", name_of(type)); }

std::string wgmma_of(ElementType type, int64_t columns) {
  return fmt::format("wgmma.m64n{}k{}_{}", columns, wgmma_terms(type), name_of(type));
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16": of the 16 by 8 sums, work-item 4*g + t of a warp
// has those of rows g and g + 8 and of columns 2*t and 2*t + 1. Products are exact; the sums of
// sixteen of them may be truncated where f32 rounds.
//
// "Register Fragments and Shared Memory Matrix Layouts" of wgmma: warp w of four has sixteen of the
// 64 rows, and of each eight columns j what mma has.
std::span<const IntrinsicRow> nvidia_intrinsics() {
  static const std::vector<IntrinsicRow> kRows = [] {
    std::vector<IntrinsicRow> rows;
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) rows.push_back(mma(type));
    for (const ElementType type : kWgmmaTypes)
      for (const int columns : kWgmmaColumns) rows.push_back(wgmma(type, columns));
    return rows;
  }();
  return kRows;
}

}  // namespace dovetail
