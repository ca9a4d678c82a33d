// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/cpu_target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/TargetParser/X86TargetParser.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr const char* kX86 = "x86_64-unknown-linux-gnu";
constexpr const char* kArm = "aarch64-unknown-linux-gnu";
// Features that the emitter queries by name; LLVM derives the others from the CPU.
constexpr const char* kAvx2 = "+avx2";
constexpr const char* kAvx512 = "+avx2,+avx512f";

// A CPU to cross-compile for, under LLVM's name. Cache sizes are those of a typical core of the
// kind. No SVE is emitted: a vector is a NEON vector, even where registers are wider.
struct KnownArch {
  const char* name;
  const char* triple;
  const char* features;
  int lanes, registers;
  int64_t l1_bytes, l2_bytes, l3_bytes;
};
constexpr int64_t kKiB = 1 << 10, kMiB = 1 << 20;
constexpr auto kKnownArchs = std::to_array<KnownArch>({
    {"x86-64-v2", kX86, "", 4, 16, 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"x86-64-v3", kX86, kAvx2, 8, 16, 32 * kKiB, 256 * kKiB, 8 * kMiB},
    {"x86-64-v4", kX86, kAvx512, 16, 32, 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"znver3", kX86, kAvx2, 8, 16, 32 * kKiB, 512 * kKiB, 32 * kMiB},
    {"znver4", kX86, kAvx512, 16, 32, 32 * kKiB, 1 * kMiB, 32 * kMiB},
    {"znver5", kX86, kAvx512, 16, 32, 48 * kKiB, 1 * kMiB, 32 * kMiB},
    {"skylake-avx512", kX86, kAvx512, 16, 32, 32 * kKiB, 1 * kMiB, 16 * kMiB},
    {"sapphirerapids", kX86, kAvx512, 16, 32, 48 * kKiB, 2 * kMiB, 32 * kMiB},
    {"cortex-a55", kArm, "", 4, 32, 32 * kKiB, 128 * kKiB, 1 * kMiB},
    {"cortex-a76", kArm, "", 4, 32, 64 * kKiB, 512 * kKiB, 4 * kMiB},
    {"neoverse-n1", kArm, "", 4, 32, 64 * kKiB, 1 * kMiB, 32 * kMiB},
    {"neoverse-v1", kArm, "", 4, 32, 64 * kKiB, 1 * kMiB, 32 * kMiB},
});

std::string first_line_value(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const size_t colon = line.find(':');
    const size_t start =
        colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

// Bytes of the level's data cache from the kernel, else from the C library (which on some
// processors adds up the last-level caches of all dies and sockets), else the default.
int64_t cache_bytes(int sysconf_name, int index, int64_t otherwise) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
  int64_t kibibytes = 0;
  if (file >> kibibytes && kibibytes > 0) return kibibytes << 10;
  const long known = sysconf(sysconf_name);
  return known > 0 ? known : otherwise;
}

std::string feature_text(const llvm::StringMap<bool>& features) {
  std::vector<std::string> sorted;
  for (const auto& feature : features)
    sorted.push_back((feature.getValue() ? "+" : "-") + feature.getKey().str());
  std::sort(sorted.begin(), sorted.end());
  return fmt::format("{}", fmt::join(sorted, ","));
}

Target host_target() {
  Target target;
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  const auto has = [&](const char* feature) { return features.lookup(feature); };
  target.llvm_triple = triple.str();
  target.llvm_cpu = llvm::sys::getHostCPUName().str();
  target.llvm_features = feature_text(features);
  target.vector_bytes = has("avx512f") ? 64 : has("avx") ? 32 : 16;
  target.vector_registers = has("avx512f") || triple.isAArch64() ? 32 : 16;
  target.l1_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 0, target.l1_bytes);
  target.l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 2, target.l2_bytes);
  target.l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 3, target.l3_bytes);
  const std::string model = first_line_value("/proc/cpuinfo", "model name");
  target.device = model.empty() ? target.llvm_cpu : fmt::format("{} ({})", model, target.llvm_cpu);
  return target;
}

std::set<std::string> features_of(llvm::StringRef cpu) {
  std::set<std::string> features;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::X86::getFeaturesForCPU(cpu, names);
  for (const llvm::StringRef name : names) features.insert(name.str());
  return features;
}

// The target's own list, without its CPU's features.
std::set<std::string> added_features(const Target& target) {
  std::set<std::string> features;
  for (const std::string_view word : split(target.llvm_features, ','))
    if (word.starts_with('+')) features.insert(std::string(word.substr(1)));
  return features;
}

size_t differing(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::vector<std::string> different;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(different));
  return different.size();
}

Target known_target(const KnownArch& arch) {
  Target target;
  target.llvm_triple = arch.triple;
  target.llvm_cpu = arch.name;
  target.llvm_features = arch.features;
  target.vector_bytes = 4 * arch.lanes;
  target.vector_registers = arch.registers;
  target.l1_bytes = arch.l1_bytes;
  target.l2_bytes = arch.l2_bytes;
  target.l3_bytes = arch.l3_bytes;
  target.device = arch.name;
  return target;
}

}  // namespace

std::vector<std::string> cpu_features(const Target& target) {
  if (!llvm::Triple(target.llvm_triple).isX86()) return {};
  std::set<std::string> features = features_of(target.llvm_cpu);
  for (const std::string_view word : split(target.llvm_features, ',')) {
    if (word.empty()) continue;
    const std::string feature(word.substr(1));
    if (word.front() == '+')
      features.insert(feature);
    else
      features.erase(feature);
  }
  return {features.begin(), features.end()};
}

std::optional<CpuByFeatures> cpu_by_features(const Target& target) {
  const std::set<std::string> own = added_features(target);
  if (!llvm::Triple(target.llvm_triple).isX86() || own.empty()) return std::nullopt;
  // AMD's processors are no kin of Intel's, however many features they have in common.
  const auto is_amd = [](llvm::StringRef name) { return name.starts_with("znver"); };
  llvm::SmallVector<llvm::StringRef> names;
  llvm::X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  std::string nearest = target.llvm_cpu;
  size_t least = differing(own, features_of(nearest));
  for (const llvm::StringRef name : names) {
    const size_t differ = differing(own, features_of(name));
    if (is_amd(name) != is_amd(target.llvm_cpu) || differ >= least) continue;
    least = differ;
    nearest = name.str();
  }
  CpuByFeatures found{.cpu = nearest, .beyond = {}};
  const std::set<std::string> named = features_of(target.llvm_cpu);
  for (const std::string& feature : features_of(nearest))
    if (own.contains(feature) && !named.contains(feature)) found.beyond.push_back(feature);
  return found.beyond.empty() ? std::nullopt : std::optional(std::move(found));
}

Result<void> check_runs_on_host(const Target& target) {
  const llvm::Triple host(llvm::sys::getProcessTriple());
  if (llvm::Triple(target.llvm_triple).getArch() != host.getArch())
    return fail("code for {} does not run on this host", target.llvm_triple);
  if (!host.isX86() && !target.name.arch.empty())
    return fail("target {} is another CPU than this host", print(target.name));
  const llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  for (const std::string& feature : cpu_features(target))
    if (const auto found = has.find(feature); found != has.end() && !found->getValue())
      return fail("this host has no {}, which code for {} may use", feature, target.llvm_cpu);
  return {};
}

std::string llvm_version() { return LLVM_VERSION_STRING; }

std::vector<std::string> cpu_archs() {
  std::vector<std::string> names;
  for (const KnownArch& arch : kKnownArchs) names.emplace_back(arch.name);
  return names;
}

Result<Target> cpu_target(const TargetName& name) {
  Target target;
  if (name.arch.empty()) {
    target = host_target();
  } else {
    const auto* known = std::find_if(kKnownArchs.begin(), kKnownArchs.end(),
                                     [&](const KnownArch& arch) { return name.arch == arch.name; });
    if (known == kKnownArchs.end())
      return fail(
          "unknown cpu arch {}; expected one of LLVM's names {}: the least of a level of x86-64 "
          "(v3 "
          "has AVX2, v4 AVX-512), Zen 3 to 5 of AMD, Xeons of Intel, cores of Arm",
          name.arch, one_of(cpu_archs()));
    target = known_target(*known);
  }
  target.name = name;
  target.driver = "LLVM " + llvm_version();
  target.compute_units = name.threads;
  return target;
}

Result<Target> least_target_here() {
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.isAArch64()) {
    TargetName baseline;
    baseline.arch = "cortex-a76";
    Target target = TRY(cpu_target(baseline));
    target.llvm_triple = triple.str();
    target.llvm_cpu = "generic";
    return target;
  }
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char* needed : {"avx2", "fma", "bmi2", "f16c"})
    if (!features.lookup(needed))
      return fail("this CPU has no {}; constants are packed by code for x86-64-v3", needed);
  TargetName baseline;
  baseline.arch = "x86-64-v3";
  return cpu_target(baseline);
}

}  // namespace dovetail
