// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/machine_facts.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::cpu;

TEST(MachineFacts, AccumulatorsFollowTheRegisters) {
  EXPECT_EQ(max_accumulators(cpu(16, 32)), 28);
  EXPECT_EQ(max_accumulators(cpu(8, 16)), 12);
}

TEST(MachineFacts, ALastLevelCacheCountsAsHalfItsSize) {
  Target target = cpu();
  target.l2_bytes = 1 << 20;
  target.l3_bytes = 16 << 20;
  EXPECT_FALSE(leaves_caches(8 << 20, target));
  EXPECT_TRUE(leaves_caches((8 << 20) + 1, target));
  EXPECT_GT(round_trip_microseconds(9 << 20, target), round_trip_microseconds(8 << 20, target));
}

}  // namespace
}  // namespace dovetail
