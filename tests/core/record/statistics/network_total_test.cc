// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/network_total.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

const std::vector<Layer> kLayers = {{"conv1", "a", 2}, {"fc", "b", 1}, {"of a suite", "c"}};

TEST(NetworkTotal, CountsEveryNodeAndNothingElse) {
  const auto totals = network_totals(kLayers, [](const std::string& spec) {
    return spec == "a" ? TaskTimes{4e-6, 3e-6} : TaskTimes{7e-6, 4e-6};
  });
  EXPECT_EQ(print(totals),
            "3 regions of the network: 15 us by default, 10 us tuned (1.50 times as fast)\n");
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(json_of(totals[0]).substr(0, 32), R"({"nodes":3,"nodes_without_time":)");
  EXPECT_EQ(json_of(network_fields(totals)).substr(0, 12), R"({"network":{)");
}

TEST(NetworkTotal, SaysInWhichCachesUnlessTheyWereHot) {
  const auto times_of = [](const std::string&) { return TaskTimes{std::nullopt, 1e-6}; };
  const auto totals = network_totals(kLayers, times_of, Caches::network_memory);
  EXPECT_EQ(print(totals), "3 regions of the network (network:memory caches): 3 us\n");
  EXPECT_NE(json_of(totals.at(0)).find(R"("caches":"network:memory")"), std::string::npos);
}

TEST(NetworkTotal, SaysHowManyNodesHaveNoTime) {
  const auto totals = network_totals(kLayers, [](const std::string& spec) {
    return spec == "a" ? TaskTimes{} : TaskTimes{7e-6, 4e-6};
  });
  EXPECT_EQ(print(totals), "2 of 3 regions of the network have no time yet\n");
  EXPECT_FALSE(totals.at(0).default_seconds);
}

TEST(NetworkTotal, IsNothingWithoutANetwork) {
  EXPECT_TRUE(network_totals(std::vector<Layer>{{"x", "a"}}, [](const std::string&) {
                return TaskTimes();
              }).empty());
}

// Both models have a node of spec a.
TEST(NetworkTotal, OfSeveralModelsIsALineEachAndTheirSum) {
  const std::vector<Layer> layers = {{"conv1", "a", 2, "models/r.onnx"},
                                     {"fc", "b", 1, "models/r.onnx"},
                                     {"conv1_2", "a", 1, "b.onnx"}};
  const auto totals = network_totals(layers, [](const std::string& spec) {
    return spec == "a" ? TaskTimes{4e-6, 3e-6} : TaskTimes{7e-6, 4e-6};
  });
  EXPECT_EQ(print(totals),
            "3 regions of r.onnx: 15 us by default, 10 us tuned (1.50 times as fast)\n"
            "1 region of b.onnx: 4 us by default, 3 us tuned (1.33 times as fast)\n"
            "4 regions of 2 networks: 19 us by default, 13 us tuned (1.46 times as fast)\n");
  EXPECT_TRUE(json_of(network_fields(totals)).starts_with(R"({"networks":[{"model":"r.onnx",)"));
}

TEST(NetworkTotal, NamesModelsByTheirPathsWhereFilesHaveOneName) {
  const std::vector<Layer> layers = {{"x", "a", 1, "old/net.onnx"}, {"y", "b", 1, "new/net.onnx"}};
  EXPECT_EQ(model_names(layers).at("old/net.onnx"), "old/net.onnx");
}

}  // namespace
}  // namespace dovetail
