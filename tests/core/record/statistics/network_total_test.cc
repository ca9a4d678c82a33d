// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/network_total.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

const std::vector<Layer> kLayers = {{"conv1", "a", 2}, {"fc", "b", 1}, {"of a suite", "c"}};

TEST(NetworkTotal, CountsEveryNodeAndNothingElse) {
  const auto total = network_total(kLayers, [](const std::string& spec) {
    return spec == "a" ? TaskTimes{4e-6, 3e-6} : TaskTimes{7e-6, 4e-6};
  });
  ASSERT_TRUE(total);
  EXPECT_EQ(print(*total),
            "3 nodes of the network: 15 us by default, 10 us tuned (1.50 times as fast)");
  EXPECT_EQ(json_of(*total).substr(0, 32), R"({"nodes":3,"nodes_without_time":)");
}

TEST(NetworkTotal, SaysInWhichCachesUnlessTheyWereHot) {
  const auto times_of = [](const std::string&) { return TaskTimes{std::nullopt, 1e-6}; };
  const auto total = network_total(kLayers, times_of, Caches::network_memory);
  ASSERT_TRUE(total);
  EXPECT_EQ(print(*total), "3 nodes of the network (network:memory caches): 3 us");
  EXPECT_NE(json_of(*total).find(R"("caches":"network:memory")"), std::string::npos);
}

TEST(NetworkTotal, SaysHowManyNodesHaveNoTime) {
  const auto total = network_total(kLayers, [](const std::string& spec) {
    return spec == "a" ? TaskTimes{} : TaskTimes{7e-6, 4e-6};
  });
  ASSERT_TRUE(total);
  EXPECT_EQ(print(*total), "2 of the network's 3 nodes have no time yet");
  EXPECT_FALSE(total->default_seconds);
}

TEST(NetworkTotal, IsNothingWithoutANetwork) {
  EXPECT_FALSE(network_total(std::vector<Layer>{{"x", "a"}},
                             [](const std::string&) { return TaskTimes(); }));
}

}  // namespace
}  // namespace dovetail
