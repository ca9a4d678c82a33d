// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace dovetail {
namespace {

TEST(ForEachInParallel, CallsEachOnce) {
  std::vector<int> calls(1000);
  for_each_in_parallel(calls.size(), [&](size_t k) { ++calls[k]; }, 8);
  EXPECT_EQ(std::ranges::count(calls, 1), 1000);
  for_each_in_parallel(0, [](size_t) { FAIL() << "called"; });
}

}  // namespace
}  // namespace dovetail
