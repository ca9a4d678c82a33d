// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a driver asks the processor before any kernel runs: CPUID, and XGETBV for whether the
// system keeps the wide registers.
//
//   cpu_needs({"avx2", "fma", "avx512f"})
//     questions   leaf 1 sub 0 ecx 0x00001000      fma
//                 leaf 7 sub 0 ebx 0x00010020      avx2, avx512f
//     xcr0        0xe6                             registers up to zmm31
//   askable_features({"avx2", "cmov", "fma"})     "avx2", "fma"
//
// Why not __builtin_cpu_supports: it is a function of libgcc, and a package needs no library.

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
  uint32_t xcr0 = 0;                   // all these bits must be set; 0: XGETBV is not asked
};

// Features are LLVM's words for x86-64; the error names those that can be asked for.
Result<CpuNeeds> cpu_needs(const std::vector<std::string>& features);

// Those that can be asked for, of all that code may use.
std::vector<std::string> askable_features(const std::vector<std::string>& llvm_features);

}  // namespace dovetail
