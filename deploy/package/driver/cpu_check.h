// SPDX-License-Identifier: Apache-2.0
#pragma once

// A driver's checks of CPU features before any kernel runs: CPUID, and XGETBV for whether the
// system saves the wide registers.
//
//   cpu_needs({"avx2", "fma", "avx512f"})
//     questions   leaf 1 sub 0 ecx 0x00001000      fma
//                 leaf 7 sub 0 ebx 0x00010020      avx2, avx512f
//     xcr0        0xe6                             registers up to zmm31
//   askable_features({"avx2", "cmov", "fma"})     "avx2", "fma"
//
// Why not __builtin_cpu_supports: it needs libgcc, and a package needs no library.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct CpuQuestion {
  uint32_t leaf = 0, subleaf = 0;
  int answer = 0;     // 0 to 3: eax, ebx, ecx, edx
  uint32_t mask = 0;  // all these bits must be set
  friend bool operator==(const CpuQuestion&, const CpuQuestion&) = default;
};

struct CpuNeeds {
  std::vector<CpuQuestion> questions;  // by leaf, subleaf and answer
  uint32_t xcr0 = 0;                   // all these bits must be set; 0: no XGETBV
};

// Features have LLVM's names for x86-64; the error lists those that can be queried.
Result<CpuNeeds> cpu_needs(const std::vector<std::string>& features);

// The features among these that can be queried.
std::vector<std::string> askable_features(const std::vector<std::string>& llvm_features);

}  // namespace dovetail
