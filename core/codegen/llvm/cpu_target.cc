// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/cpu_target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/TargetParser/X86TargetParser.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/codegen/llvm/known_cpus.h"

namespace dovetail {
namespace {

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

Result<Target> other_target(const std::string& arch) {
  if (std::optional<Target> known = known_cpu(arch)) return *std::move(known);
  if (arch == "native" || arch == "host")
    return fail("arch={}: this host is target cpu, without an arch", arch);
  const std::string meant = did_you_mean(arch, known_cpus());
  return fail(
      "arch={}: LLVM knows no such CPU of x86-64 or AArch64{}", arch,
      meant.empty() ? "; names are x86-64-v3, znver4, icelake-server, cortex-a76, …" : meant);
}

}  // namespace

std::vector<std::string> cpu_features(const Target& target) {
  if (!llvm::Triple(target.llvm_triple).isX86()) return {};
  std::set<std::string> features = features_of_x86(target.llvm_cpu);
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
  size_t least = differing(own, features_of_x86(nearest));
  for (const llvm::StringRef name : names) {
    const size_t differ = differing(own, features_of_x86(name.str()));
    if (is_amd(name) != is_amd(target.llvm_cpu) || differ >= least) continue;
    least = differ;
    nearest = name.str();
  }
  CpuByFeatures found{.cpu = nearest, .beyond = {}};
  const std::set<std::string> named = features_of_x86(target.llvm_cpu);
  for (const std::string& feature : features_of_x86(nearest))
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

Result<Target> cpu_target(const TargetName& name) {
  Target target = name.arch.empty() ? host_target() : TRY(other_target(name.arch));
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
