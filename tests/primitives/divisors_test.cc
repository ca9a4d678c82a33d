// SPDX-License-Identifier: Apache-2.0
#include "primitives/divisors.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(Divisors, AreAllAndAscend) {
  for (int64_t n = 1; n <= 200; ++n) {
    std::vector<int64_t> expected;
    for (int64_t d = 1; d <= n; ++d) {
      if (n % d == 0) expected.push_back(d);
    }
    EXPECT_EQ(divisors(n), expected) << n;
  }
}

TEST(LargestDivisor, IsAtMostTheLimit) {
  EXPECT_EQ(largest_divisor(56, 16), 14);
  EXPECT_EQ(largest_divisor(56, 56), 56);
  EXPECT_EQ(largest_divisor(56, 1000), 56);
  EXPECT_EQ(largest_divisor(7, 6), 1);
  EXPECT_EQ(largest_divisor(7, 0), 1);
}

TEST(RoundUp, GivesTheNextMultiple) {
  EXPECT_EQ(round_up(56, 7), 56);
  EXPECT_EQ(round_up(57, 7), 63);
  EXPECT_EQ(round_up(1, 16), 16);
}

TEST(RequireFactor, NamesFactorsThatWouldDo) {
  EXPECT_TRUE(require_factor("split(…)", "axis i", 64, 4));
  EXPECT_ERROR(require_factor("split(…)", "axis i", 64, 3),
               "split(…): factor 3 does not divide extent 64 of axis i; pad first or use 2, 4, 8, "
               "16, 32, 64");
  EXPECT_ERROR(require_factor("split(…)", "axis i", 1, 3),
               "factor 3 does not divide extent 1 of axis i; pad first");
}

TEST(RequireFactor, StopsNamingThemWhenThereAreMany) {
  const auto error = require_factor("split(…)", "axis i", 720720, 17);
  ASSERT_FALSE(error);
  EXPECT_LT(error.error().message.size(), 160u);
}

}  // namespace
}  // namespace dovetail
