// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/cpu_check.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// Registers that the system must save, as bits of XCR0: xmm and ymm; masks and zmm as well.
constexpr uint32_t kNoState = 0, kYmm = 0x6, kZmm = 0xe6;

struct CpuFeature {
  std::string_view name;
  uint32_t leaf, subleaf;
  int answer, bit;
  uint32_t xcr0;
};

constexpr int kEax = 0, kEbx = 1, kEcx = 2, kEdx = 3;
constexpr uint32_t kExtended = 0x80000001;

// Intel's manual, volume 2A, CPUID, and AMD's, volume 3, appendix E.
constexpr CpuFeature kFeatures[] = {
    {"sse3", 1, 0, kEcx, 0, kNoState},
    {"ssse3", 1, 0, kEcx, 9, kNoState},
    {"fma", 1, 0, kEcx, 12, kYmm},
    {"cx16", 1, 0, kEcx, 13, kNoState},
    {"sse4.1", 1, 0, kEcx, 19, kNoState},
    {"sse4.2", 1, 0, kEcx, 20, kNoState},
    {"movbe", 1, 0, kEcx, 22, kNoState},
    {"popcnt", 1, 0, kEcx, 23, kNoState},
    {"avx", 1, 0, kEcx, 28, kYmm},
    {"f16c", 1, 0, kEcx, 29, kYmm},
    {"bmi", 7, 0, kEbx, 3, kNoState},
    {"avx2", 7, 0, kEbx, 5, kYmm},
    {"bmi2", 7, 0, kEbx, 8, kNoState},
    {"avx512f", 7, 0, kEbx, 16, kZmm},
    {"avx512dq", 7, 0, kEbx, 17, kZmm},
    {"adx", 7, 0, kEbx, 19, kNoState},
    {"avx512ifma", 7, 0, kEbx, 21, kZmm},
    {"avx512cd", 7, 0, kEbx, 28, kZmm},
    {"avx512bw", 7, 0, kEbx, 30, kZmm},
    {"avx512vl", 7, 0, kEbx, 31, kZmm},
    {"avx512vbmi", 7, 0, kEcx, 1, kZmm},
    {"avx512vbmi2", 7, 0, kEcx, 6, kZmm},
    {"gfni", 7, 0, kEcx, 8, kNoState},
    {"vaes", 7, 0, kEcx, 9, kYmm},
    {"vpclmulqdq", 7, 0, kEcx, 10, kYmm},
    {"avx512vnni", 7, 0, kEcx, 11, kZmm},
    {"avx512bitalg", 7, 0, kEcx, 12, kZmm},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, kZmm},
    {"avx512fp16", 7, 0, kEdx, 23, kZmm},
    {"avxvnni", 7, 1, kEax, 4, kYmm},
    {"avx512bf16", 7, 1, kEax, 5, kZmm},
    {"avxifma", 7, 1, kEax, 23, kYmm},
    {"avxvnniint8", 7, 1, kEdx, 4, kYmm},
    {"avxneconvert", 7, 1, kEdx, 5, kYmm},
    {"avxvnniint16", 7, 1, kEdx, 10, kYmm},
    {"sahf", kExtended, 0, kEcx, 0, kNoState},
    {"lzcnt", kExtended, 0, kEcx, 5, kNoState},
    {"sse4a", kExtended, 0, kEcx, 6, kNoState},
    {"xop", kExtended, 0, kEcx, 11, kYmm},
    {"fma4", kExtended, 0, kEcx, 16, kYmm},
    {"tbm", kExtended, 0, kEcx, 21, kNoState},
};

const CpuFeature* find_feature(std::string_view name) {
  const auto* found = std::ranges::find(kFeatures, name, &CpuFeature::name);
  return found == std::end(kFeatures) ? nullptr : found;
}

}  // namespace

Result<CpuNeeds> cpu_needs(const std::vector<std::string>& features) {
  std::map<std::tuple<uint32_t, uint32_t, int>, uint32_t> masks;
  CpuNeeds needs;
  for (const std::string& name : features) {
    const CpuFeature* feature = find_feature(name);
    if (feature == nullptr)
      return fail("a driver cannot ask for the CPU feature \"{}\"; expected some of {}",
                  printable(name), one_of(kFeatures, &CpuFeature::name));
    masks[{feature->leaf, feature->subleaf, feature->answer}] |= uint32_t{1} << feature->bit;
    needs.xcr0 |= feature->xcr0;
  }
  for (const auto& [place, mask] : masks)
    needs.questions.push_back({.leaf = std::get<0>(place),
                               .subleaf = std::get<1>(place),
                               .answer = std::get<2>(place),
                               .mask = mask});
  return needs;
}

std::vector<std::string> askable_features(const std::vector<std::string>& llvm_features) {
  std::vector<std::string> found;
  for (const std::string& name : llvm_features)
    if (find_feature(name) != nullptr) found.push_back(name);
  std::ranges::sort(found);
  return found;
}

}  // namespace dovetail
