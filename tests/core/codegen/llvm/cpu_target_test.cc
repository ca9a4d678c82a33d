// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/cpu_target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/codegen/llvm/known_cpus.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

Result<Target> target_of(std::string_view name) { return cpu_target(*parse_target_name(name)); }

TEST(CpuTarget, DescribesThisHost) {
  const Target target = *target_of("cpu");
  EXPECT_FALSE(target.llvm_cpu.empty());
  EXPECT_FALSE(target.llvm_triple.empty());
  EXPECT_EQ(target.driver.substr(0, 7), "LLVM 19");
  EXPECT_NE(target.device.find(target.llvm_cpu), std::string::npos);
  EXPECT_GE(vector_lanes(target), 4);
  EXPECT_GE(target.vector_registers, 16);
  EXPECT_GE(target.l1_bytes, 8 << 10);
  EXPECT_GE(target.l2_bytes, target.l1_bytes);
  EXPECT_EQ(target.name.threads, 1);
}

TEST(CpuTarget, KeepsTheThreadsOfTheName) {
  const Target target = *target_of("cpu:threads=2");
  EXPECT_EQ(target.name.threads, 2);
  EXPECT_EQ(target.compute_units, 2);
}

TEST(CpuTarget, KnowsOtherCpusByName) {
  const auto vectors_of = [](const std::string& arch) {
    const Target target = *target_of("cpu:arch=" + arch);
    EXPECT_EQ(target.llvm_cpu, arch);
    return std::pair(vector_lanes(target), target.vector_registers);
  };
  EXPECT_EQ(vectors_of("x86-64-v2"), std::pair(4, 16));
  for (const char* avx2 : {"x86-64-v3", "znver3"}) EXPECT_EQ(vectors_of(avx2), std::pair(8, 16));
  for (const char* avx512 : {"x86-64-v4", "znver4", "znver5", "skylake-avx512", "sapphirerapids"})
    EXPECT_EQ(vectors_of(avx512), std::pair(16, 32)) << avx512;
  for (const char* neon : {"cortex-a55", "cortex-a76", "neoverse-n1", "neoverse-v1"})
    EXPECT_EQ(vectors_of(neon), std::pair(4, 32)) << neon;
}

// LLVM 19 names a Sapphire Rapids whose model number it does not know a Rocket Lake.
TEST(CpuTarget, TellsByFeaturesWhatANameLacks) {
  Target target = *target_of("cpu:arch=sapphirerapids");
  target.llvm_features.clear();
  for (const std::string& feature : cpu_features(target))
    target.llvm_features += (target.llvm_features.empty() ? "+" : ",+") + feature;
  EXPECT_FALSE(cpu_by_features(target));
  target.llvm_cpu = "rocketlake";
  const auto found = cpu_by_features(target);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cpu, "sapphirerapids");
  EXPECT_EQ(std::ranges::count(found->beyond, "amx-tile"), 1);
  EXPECT_EQ(std::ranges::count(found->beyond, "avx512f"), 0);
  EXPECT_FALSE(cpu_by_features(*target_of("cpu:arch=cortex-a76")));
}

TEST(CpuTarget, CachesOfOtherCpusGrowByLevel) {
  for (const std::string& arch : known_cpus()) {
    const Target target = *target_of("cpu:arch=" + arch);
    EXPECT_LT(target.l1_bytes, target.l2_bytes) << arch;
    EXPECT_LT(target.l2_bytes, target.l3_bytes) << arch;
  }
}

TEST(CpuTarget, KnowsEachCpuThatLlvmKnows) {
  const auto vectors_of = [](const std::string& arch) {
    const Target target = *target_of("cpu:arch=" + arch);
    return std::pair(vector_lanes(target), target.vector_registers);
  };
  for (const char* avx512 : {"rocketlake", "icelake-server", "cascadelake"})
    EXPECT_EQ(vectors_of(avx512), std::pair(16, 32)) << avx512;
  for (const char* avx : {"haswell", "sandybridge", "alderlake", "znver1"})
    EXPECT_EQ(vectors_of(avx), std::pair(8, 16)) << avx;
  for (const char* neon : {"neoverse-n2", "apple-m1", "generic"})
    EXPECT_EQ(vectors_of(neon), std::pair(4, 32)) << neon;
  const Target unknown_caches = *target_of("cpu:arch=ampere1");
  EXPECT_EQ(unknown_caches.l1_bytes, 32 << 10);
  EXPECT_EQ(unknown_caches.l2_bytes, 1 << 20);
  EXPECT_EQ(unknown_caches.l3_bytes, 16 << 20);
}

TEST(CpuTarget, NamesTheNearestWhenAskedForAnother) {
  EXPECT_ERROR(target_of("cpu:arch=rocketlak"),
               "arch=rocketlak: LLVM knows no such CPU of x86-64 or AArch64; did you mean "
               "rocketlake?");
  EXPECT_ERROR(target_of("cpu:arch=z80"),
               "arch=z80: LLVM knows no such CPU of x86-64 or AArch64; names are x86-64-v3, ");
  EXPECT_ERROR(target_of("cpu:arch=pentium4"), "LLVM knows no such CPU of x86-64");
  EXPECT_ERROR(target_of("cpu:arch=native"), "arch=native: this host is target cpu");
}

}  // namespace
}  // namespace dovetail::testing
