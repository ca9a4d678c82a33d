// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/known_cpus.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/AArch64TargetParser.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>
#include <array>

namespace dovetail {
namespace {

constexpr const char* kX86 = "x86_64-unknown-linux-gnu";
constexpr const char* kArm = "aarch64-unknown-linux-gnu";
// Features that the emitter queries by name; LLVM derives the others from the CPU.
constexpr const char* kAvx2 = "+avx2";
constexpr const char* kAvx512 = "+avx2,+avx512f";

// Data caches of a core, with its share of the last level where dies of one kind differ.
struct Caches {
  std::string_view cpu;
  int64_t l1_bytes, l2_bytes, l3_bytes;
};
constexpr int64_t kKiB = 1 << 10, kMiB = 1 << 20;
constexpr Caches kTypical = {"", 32 * kKiB, 1 * kMiB, 16 * kMiB};
constexpr auto kCaches = std::to_array<Caches>({
    {"x86-64-v2", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"x86-64-v3", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"x86-64-v4", 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"haswell", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"broadwell", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"skylake", 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"skylake-avx512", 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"cascadelake", 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"cooperlake", 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"icelake-client", 48 * kKiB, 512 * kKiB, 8 * kMiB},
    {"icelake-server", 48 * kKiB, 1280 * kKiB, 32 * kMiB},
    {"rocketlake", 48 * kKiB, 512 * kKiB, 16 * kMiB},
    {"tigerlake", 48 * kKiB, 1280 * kKiB, 12 * kMiB},
    {"alderlake", 48 * kKiB, 1280 * kKiB, 24 * kMiB},
    {"sapphirerapids", 48 * kKiB, 2 * kMiB, 32 * kMiB},
    {"emeraldrapids", 48 * kKiB, 2 * kMiB, 32 * kMiB},
    {"graniterapids", 48 * kKiB, 2 * kMiB, 32 * kMiB},
    {"znver1", 32 * kKiB, 512 * kKiB, 8 * kMiB},
    {"znver2", 32 * kKiB, 512 * kKiB, 16 * kMiB},
    {"znver3", 32 * kKiB, 512 * kKiB, 32 * kMiB},
    {"znver4", 32 * kKiB, 1 * kMiB, 32 * kMiB},
    {"znver5", 48 * kKiB, 1 * kMiB, 32 * kMiB},
    {"cortex-a55", 32 * kKiB, 128 * kKiB, 1 * kMiB},
    {"cortex-a76", 64 * kKiB, 512 * kKiB, 4 * kMiB},
    {"neoverse-n1", 64 * kKiB, 1 * kMiB, 32 * kMiB},
    {"neoverse-v1", 64 * kKiB, 1 * kMiB, 32 * kMiB},
    {"neoverse-n2", 64 * kKiB, 1 * kMiB, 32 * kMiB},
    {"neoverse-v2", 64 * kKiB, 2 * kMiB, 32 * kMiB},
});

using Names = llvm::SmallVector<llvm::StringRef>;

Names x86_names() {
  Names names;
  llvm::X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  return names;
}

Names arm_names() {
  Names names;
  llvm::AArch64::fillValidCPUArchList(names);
  return names;
}

bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, llvm::StringRef(name)) != names.end();
}

void set_vectors_of_x86(std::string_view cpu, Target& target) {
  const std::set<std::string> features = features_of_x86(cpu);
  const bool has_avx512 = features.contains("avx512f");
  target.llvm_triple = kX86;
  target.llvm_features = has_avx512 ? kAvx512 : features.contains("avx2") ? kAvx2 : "";
  target.vector_bytes = has_avx512 ? 64 : features.contains("avx") ? 32 : 16;
  target.vector_registers = has_avx512 ? 32 : 16;
}

void set_vectors_of_arm(Target& target) {
  target.llvm_triple = kArm;
  target.vector_bytes = 16;
  target.vector_registers = 32;
}

}  // namespace

std::vector<std::string> known_cpus() {
  std::vector<std::string> known;
  for (const Names& names : {x86_names(), arm_names()})
    for (const llvm::StringRef name : names) known.push_back(name.str());
  return known;
}

std::set<std::string> features_of_x86(std::string_view cpu) {
  if (!has(x86_names(), cpu)) return {};  // LLVM takes no other name
  Names names;
  llvm::X86::getFeaturesForCPU(cpu, names);
  llvm::StringMap<bool> implied;
  for (const llvm::StringRef name : names) {
    implied[name] = true;
    llvm::X86::updateImpliedFeatures(name, /*Enabled=*/true, implied);
  }
  std::set<std::string> features;
  for (const auto& feature : implied)
    if (feature.getValue()) features.insert(feature.getKey().str());
  return features;
}

std::optional<Target> known_cpu(std::string_view name) {
  Target target;
  if (has(x86_names(), name))
    set_vectors_of_x86(name, target);
  else if (has(arm_names(), name))
    set_vectors_of_arm(target);
  else
    return std::nullopt;
  const auto* const row = std::ranges::find(kCaches, name, &Caches::cpu);
  const Caches& caches = row == kCaches.end() ? kTypical : *row;
  target.llvm_cpu = name;
  target.device = name;
  target.l1_bytes = caches.l1_bytes;
  target.l2_bytes = caches.l2_bytes;
  target.l3_bytes = caches.l3_bytes;
  return target;
}

}  // namespace dovetail
