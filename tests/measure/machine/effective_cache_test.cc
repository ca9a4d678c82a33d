// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/effective_cache.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

// A cache of 80 bytes that reads at 8, before a level at 2: the threshold is sqrt(8 x 2) = 4.
int64_t effective_where(const std::function<double(int64_t bytes)>& rate_of) {
  return effective_bytes({.capacity_bytes = 80, .bytes_per_second = 8, .next_bytes_per_second = 2},
                         rate_of);
}

TEST(EffectiveBytes, AreThoseBeforeTheRateFalls) {
  EXPECT_EQ(effective_where([](int64_t bytes) { return bytes <= 50 ? 8.0 : 2.0; }), 50);
  EXPECT_EQ(effective_where([](int64_t bytes) { return bytes <= 59 ? 4.1 : 3.9; }), 50);
}

TEST(EffectiveBytes, EndWhereTheRateFallsFirst) {
  EXPECT_EQ(effective_where([](int64_t bytes) { return bytes == 40 ? 2.0 : 8.0; }), 30);
}

TEST(EffectiveBytes, AreAnEighthAtLeastAndTwelveAtMost) {
  EXPECT_EQ(effective_where([](int64_t) { return 2.0; }), 10);
  EXPECT_EQ(effective_where([](int64_t) { return 8.0; }), 120);
}

}  // namespace
}  // namespace dovetail
