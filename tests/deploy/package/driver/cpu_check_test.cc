// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/cpu_check.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

using Words = std::vector<std::string>;

TEST(CpuCheck, GathersFeaturesOfOneRegister) {
  const CpuNeeds needs = *cpu_needs({"avx512f", "fma", "avx2", "lzcnt"});
  const std::vector<CpuQuestion> expected = {
      {.leaf = 1, .subleaf = 0, .answer = 2, .mask = 0x1000},
      {.leaf = 7, .subleaf = 0, .answer = 1, .mask = 0x10020},
      {.leaf = 0x80000001, .subleaf = 0, .answer = 2, .mask = 0x20}};
  EXPECT_EQ(needs.questions, expected);
  EXPECT_EQ(needs.xcr0, 0xe6u);
  EXPECT_EQ(cpu_needs({"avx"})->xcr0, 6u);
  EXPECT_EQ(cpu_needs({"popcnt"})->xcr0, 0u);
  EXPECT_TRUE(cpu_needs({})->questions.empty());
}

TEST(CpuCheck, RefusesWhatItCannotAskFor) {
  EXPECT_ERROR(cpu_needs({"avx", "avx9"}), "CPU feature \"avx9\"; expected some of sse3");
}

TEST(CpuCheck, TakesFeaturesFromLists) {
  EXPECT_EQ(askable_features({"fma", "cmov", "avx2", "64bit"}), (Words{"avx2", "fma"}));
  EXPECT_EQ(askable_features({}), Words{});
}

}  // namespace
}  // namespace dovetail::testing
