// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/cpu_target.h"

#include <gtest/gtest.h>

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
  EXPECT_GE(target.vector_lanes, 4);
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
  const Target v3 = *target_of("cpu:arch=x86-64-v3");
  EXPECT_EQ(std::pair(v3.vector_lanes, v3.vector_registers), std::pair(8, 16));
  const Target skylake = *target_of("cpu:arch=skylake-avx512");
  EXPECT_EQ(std::pair(skylake.vector_lanes, skylake.vector_registers), std::pair(16, 32));
  const Target cortex = *target_of("cpu:arch=cortex-a76");
  EXPECT_EQ(std::pair(cortex.vector_lanes, cortex.vector_registers), std::pair(4, 32));
}

TEST(CpuTarget, NamesWhatItKnowsWhenAskedForAnother) {
  EXPECT_ERROR(target_of("cpu:arch=z80"),
               "unknown cpu arch z80; expected one of x86-64-v3, skylake-avx512, cortex-a76");
}

}  // namespace
}  // namespace dovetail::testing
