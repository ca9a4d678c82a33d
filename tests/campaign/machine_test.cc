// SPDX-License-Identifier: Apache-2.0
#include "campaign/machine.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

// 12 KiB of operands; its multiply-adds take 1 us at the peak.
const char* const kSpec = "gmm:m=32,n=32,k=32";

Machine machine() {
  return {.peak_gflops = 65.536,
          .levels = {{.capacity_bytes = 8 << 10, .bytes_per_second = 100e9},
                     {.capacity_bytes = 16 << 10, .bytes_per_second = 12.288e9},
                     {.capacity_bytes = int64_t{1} << 62, .bytes_per_second = 6.144e9}}};
}

TEST(Machine, PercentagesAreOfThePeakAndOfTheSmallestLevelThatHoldsTheOperands) {
  const Region region = region_of(*parse_operator(kSpec));
  EXPECT_DOUBLE_EQ(percent_of_peak(machine(), region, 2e-6).value(), 50);
  EXPECT_DOUBLE_EQ(percent_of_roof(machine(), region, 2e-6).value(), 50);
}

TEST(Machine, OfColdOperandsHasTheBandwidthOfMemory) {
  const Region region = region_of(*parse_operator(kSpec));
  EXPECT_DOUBLE_EQ(percent_of_roof(without_caches(machine()), region, 2e-6).value(), 100);
  EXPECT_EQ(percent_of_roof(without_caches({.peak_gflops = 65.536, .levels = {}}), region, 2e-6),
            std::nullopt);
}

}  // namespace
}  // namespace dovetail
