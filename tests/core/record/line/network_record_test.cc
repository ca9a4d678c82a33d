// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/network_record.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

NetworkRecord sample_network() {
  NetworkRecord network;
  network.campaign = 2;
  network.model = "net";
  network.graph = "00ff";
  network.target = "cpu:threads=2";
  network.device = "AMD EPYC";
  network.trials = 1500;
  network.seconds = 0.005;
  network.joint_seconds = 0.006;
  network.networks = 17;
  network.prefetches_weights = true;
  network.fused = {{"expand", "dw \"x\"", "project"}, {"a", "b"}};
  network.nodes = {
      {.node = "conv", .trace = "layout W split(i, 8)\nloops Y:\n", .forms = {}},
      {.node = "pool", .trace = {}, .forms = {{"t", "1@16:4 2@1:56"}, {"u", "row_major"}}},
      {.node = "flat", .trace = {}, .forms = {}, .stays = true}};
  network.calls = {{.call = "convert.x",
                    .is_conversion = true,
                    .seconds = 1e-6,
                    .given = {{.tensor = "x", .form = "row_major"}},
                    .made = {{.tensor = "x", .form = "1@16:4 2@1:56"}}},
                   {.call = "conv", .with = {"relu", "add"}}};
  return network;
}

Result<NetworkRecord> network_with(const std::string& from, const std::string& to) {
  std::string object = *open_line(print(sample_network()));
  const size_t at = object.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return parse_network_record(object.replace(at, from.size(), to));
}

TEST(NetworkRecord, PrintsWhatParses) {
  NetworkRecord bare;
  bare.model = "m";
  for (const NetworkRecord& network : {sample_network(), bare}) {
    const Result<NetworkRecord> read = parse_network_record(*open_line(print(network)));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, network);
  }
}

TEST(NetworkRecord, KeepsFieldsOfLaterVersions) {
  const Result<NetworkRecord> read = network_with(R"("networks":17)", R"("networks":17,"hue":[1])");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->unknown.at("hue"), "[1]");
}

TEST(NetworkRecord, RefusesWhatIsNone) {
  EXPECT_ERROR(network_with(R"("kind":"network")", R"("kind":"round")"), "field kind");
  EXPECT_ERROR(network_with(R"("networks":17)", R"("networks":0)"), "field networks");
  EXPECT_ERROR(network_with(R"("seconds":0.005)", R"("seconds":-1)"), "field seconds");
  EXPECT_ERROR(network_with(R"("call":"conv")", R"("cell":"conv")"), "field calls[1].call");
  EXPECT_ERROR(network_with(R"("nodes":[)", R"("knots":[)"), "field nodes");
}

}  // namespace
}  // namespace dovetail
