// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using enum Caches;
const std::vector<Caches> kAll = {hot, cold, network_l3, network_memory};

TEST(Caches, ParseWhatTheyPrint) {
  for (const Caches caches : kAll) EXPECT_EQ(*parse_caches(print(caches)), caches);
  EXPECT_EQ(print(network_memory), "network:memory");
  EXPECT_ERROR(parse_caches("network"), "found 'network', expected one of: hot, cold, network:l3");
}

std::vector<Caches> nearest_first(Caches wanted) {
  std::vector<Caches> states = kAll;
  std::ranges::sort(states, {}, [&](Caches other) { return distance(wanted, other); });
  return states;
}

TEST(Caches, AreNearestToThemselvesAndThenToThoseMostLikeThem) {
  EXPECT_EQ(nearest_first(hot), (std::vector{hot, network_l3, network_memory, cold}));
  EXPECT_EQ(nearest_first(network_l3), (std::vector{network_l3, network_memory, hot, cold}));
  EXPECT_EQ(nearest_first(network_memory), (std::vector{network_memory, cold, network_l3, hot}));
  EXPECT_EQ(nearest_first(cold), (std::vector{cold, network_memory, network_l3, hot}));
}

}  // namespace
}  // namespace dovetail
