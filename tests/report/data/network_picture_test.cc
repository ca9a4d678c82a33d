// SPDX-License-Identifier: Apache-2.0
#include "report/data/network_picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace dovetail {
namespace {

const std::string kBlocks = "0@1:1 1@16:2 2@1:8 3@1:8 1@1:16";

// x, in rows of its own, goes into conv; what conv makes into pool and, past it, into add.
NetworkRecord residual() {
  NetworkRecord network;
  network.model = "net";
  network.calls = {
      {.call = "convert.x",
       .is_conversion = true,
       .seconds = 1e-6,
       .given = {{"x", "row_major"}},
       .made = {{"x", kBlocks}}},
      {.call = "conv",
       .with = {"relu", "bias"},
       .seconds = 7e-6,
       .given = {{"x", kBlocks}},
       .made = {{"t", kBlocks}}},
      {.call = "pool", .seconds = 1e-6, .given = {{"t", kBlocks}}, .made = {{"u", "row_major"}}},
      {.call = "add",
       .seconds = 1e-6,
       .given = {{"t", kBlocks}, {"u", "row_major"}},
       .made = {{"y", "row_major"}}}};
  return network;
}

std::string blocks_of(int channels) {
  return fmt::format("1@{0}:4 2@1:8 3@1:8 1@1:{0}", channels + 1);
}

TEST(NetworkPicture, HasARowForEachInputAndCall) {
  const NetworkChart chart = network_picture(residual());
  ASSERT_EQ(chart.calls.size(), 5u);
  EXPECT_EQ(chart.calls[0].label, "x");
  EXPECT_FALSE(chart.calls[0].seconds) << "an input takes no time";
  EXPECT_EQ(chart.calls[1].label, "convert.x");
  EXPECT_TRUE(chart.calls[1].is_conversion);
  EXPECT_EQ(chart.calls[2].label, "conv + 2");
  EXPECT_EQ(chart.calls[2].tip, "conv with relu, bias: 7.00 µs");
  EXPECT_FALSE(chart.calls[2].is_conversion);
}

TEST(NetworkPicture, LeadsTensorsToAllWhoReadThem) {
  const NetworkChart chart = network_picture(residual());
  ASSERT_EQ(chart.tensors.size(), 5u) << "x twice: as it comes, and in blocks";
  const NetworkChartTensor& t = chart.tensors[2];
  EXPECT_EQ(t.name, "t");
  EXPECT_EQ(t.made_by, 2u);
  EXPECT_EQ(t.read_by, (std::vector<size_t>{3, 4}));
  EXPECT_EQ(chart.tensors[4].read_by, std::vector<size_t>{}) << "the network's output";
}

TEST(NetworkPicture, NamesTheCommonestLayoutFirst) {
  const NetworkChart chart = network_picture(residual());
  EXPECT_EQ(chart.layouts, (std::vector<std::string>{"row-major", "nChw16c"}));
  EXPECT_EQ(chart.tensors[0].layout, 0u);
  EXPECT_EQ(chart.tensors[2].layout, 1u);
}

TEST(NetworkPicture, BeyondNineFamiliesTheRarestShareAColour) {
  NetworkRecord network;
  for (int i = 0; i < 12; ++i)
    network.calls.push_back({.call = fmt::format("c{}", i),
                             .seconds = 1e-6,
                             .made = {{fmt::format("t{}", i), blocks_of(i / 2)},
                                      {fmt::format("u{}", i), blocks_of(20 + i)}}});
  const NetworkChart chart = network_picture(network);
  ASSERT_EQ(chart.layouts.size(), 10u);
  EXPECT_EQ(chart.layouts.back(), "others");
  EXPECT_EQ(chart.layouts[0], "nChw1c");
  for (const NetworkChartTensor& tensor : chart.tensors) EXPECT_LT(tensor.layout, 10u);
}

// 100 calls of which two take time: between them the others are one row each time.
TEST(NetworkPicture, PutsSmallCallsOfALongNetworkTogether) {
  NetworkRecord network;
  std::string last = "x";
  for (int i = 0; i < 100; ++i) {
    const std::string made = fmt::format("t{}", i);
    network.calls.push_back({.call = fmt::format("c{}", i),
                             .seconds = i == 40 || i == 41 ? 1e-3 : 1e-7,
                             .given = {{last, "row_major"}},
                             .made = {{made, "row_major"}}});
    last = made;
  }
  const NetworkChart chart = network_picture(network);
  ASSERT_EQ(chart.calls.size(), 5u) << "x, 40 small ones, two, 58 small ones";
  EXPECT_EQ(chart.calls[1].label, "40 calls, c0 to c39");
  EXPECT_NEAR(*chart.calls[1].seconds, 40e-7, 1e-12);
  EXPECT_EQ(chart.calls[4].label, "58 calls, c42 to c99");
  size_t drawn = 0;
  for (const NetworkChartTensor& tensor : chart.tensors) drawn += tensor.read_by.empty() ? 0 : 1;
  EXPECT_EQ(drawn, 4u) << "what stays in a row has no line";
}

TEST(NetworkPicture, OfNoCallsIsEmpty) {
  EXPECT_TRUE(network_picture(NetworkRecord{}).calls.empty());
}

}  // namespace
}  // namespace dovetail
