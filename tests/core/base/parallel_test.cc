// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dovetail {
namespace {

TEST(ForEachInParallel, CallsEachOnce) {
  std::vector<int> calls(1000);
  for_each_in_parallel(calls.size(), [&](size_t k) { ++calls[k]; }, 8);
  EXPECT_EQ(std::ranges::count(calls, 1), 1000);
  for_each_in_parallel(0, [](size_t) { FAIL() << "called"; });
}

TEST(TryEachInParallel, TriesAllAndGivesTheFirstError) {
  std::vector<int> calls(1000);
  const Result<void> result = try_each_in_parallel(calls.size(), [&](size_t k) -> Result<void> {
    ++calls[k];
    if (k == 700 || k == 300) return fail("piece " + std::to_string(k));
    return {};
  });
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "piece 300");
  EXPECT_EQ(std::ranges::count(calls, 1), 1000);
  EXPECT_TRUE(try_each_in_parallel(0, [](size_t) -> Result<void> { return fail("called"); }));
}

}  // namespace
}  // namespace dovetail
