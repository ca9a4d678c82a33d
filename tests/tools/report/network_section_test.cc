// SPDX-License-Identifier: Apache-2.0
// The networks of a log, on its page.
#include <gtest/gtest.h>

#include "core/record/line/network_record.h"
#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using testing::header_of;
using testing::holds;
using testing::kHostile;
using testing::ReportVerb;
using testing::trial_of;
using testing::XmlText;

NetworkRecord kept_network() {
  NetworkRecord network;
  network.model = "net";
  network.graph = "9f3c5a1e0b7d2468";
  network.target = "cpu";
  network.trials = 1;
  network.seconds = 5e-6;
  network.joint_seconds = 6e-6;
  network.networks = 3;
  network.calls = {{.call = "conv",
                    .with = {"relu"},
                    .seconds = 3e-6,
                    .given = {{"x", "row_major"}},
                    .made = {{"t", "1@16:4 2@1:8 3@1:8 1@1:16"}}},
                   {.call = "pool",
                    .seconds = 1e-6,
                    .given = {{"t", "1@16:4 2@1:8 3@1:8 1@1:16"}},
                    .made = {{"y", "row_major"}}}};
  return network;
}

class NetworkSection : public ReportVerb {
 protected:
  XmlText page_with(const std::vector<NetworkRecord>& networks) const {
    LogHeader header = header_of(1);
    header.workloads = {"net.onnx"};
    std::string lines = print(header) + "\n" + print(trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)) + "\n";
    for (const NetworkRecord& network : networks) lines += print(network) + "\n";
    folder_.write("a.jsonl", lines);
    return page_of("a.jsonl");
  }
};

TEST_F(NetworkSection, DrawsANetworkByItsCalls) {
  const XmlText xml = page_with({kept_network()});
  EXPECT_TRUE(
      holds(xml, "5.00 µs when it was chosen, from 3 networks that were measured; 6.00 µs"));
  EXPECT_TRUE(holds(xml, "conv + 1"));
  EXPECT_TRUE(holds(xml, "3.00 µs  75.0 %"));
  EXPECT_TRUE(holds(xml, "nChw16c")) << "the legend";
  EXPECT_TRUE(holds(xml, "No tensor is converted"));
}

TEST_F(NetworkSection, TheLastOneOfANetworkHolds) {
  NetworkRecord later = kept_network();
  later.seconds = 4.5e-6;
  NetworkRecord exact = kept_network();
  exact.exact = true;
  NetworkRecord small = kept_network();
  small.memory_limit_bytes = 190'000'000;
  const XmlText xml = page_with({kept_network(), exact, small, later});
  EXPECT_TRUE(holds(xml, "4.50 µs when it was chosen"));
  EXPECT_TRUE(holds(xml, "net on cpu, exact"));
  EXPECT_TRUE(holds(xml, "net on cpu, in 190 MB"));
  EXPECT_TRUE(holds(xml, "Networks"));
}

TEST_F(NetworkSection, SaysWhatTheLogHasLearntSince) {
  NetworkRecord before = kept_network();
  before.trials = 0;
  EXPECT_TRUE(holds(page_with({before}), "The log has 1 more trial since"));
}

TEST_F(NetworkSection, SaysHowToGetOne) {
  EXPECT_TRUE(
      holds(page_with({}), "dovetail run net.onnx --log a.jsonl --variant global chooses one"));
}

TEST_F(NetworkSection, IsNotThereWithoutAModel) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  EXPECT_FALSE(holds(page_of("a.jsonl"), "measured whole"));
}

TEST_F(NetworkSection, NamesOfNodesAreText) {
  NetworkRecord network = kept_network();
  network.model = network.calls[0].call = network.calls[0].made[0].form = kHostile;
  network.calls[1].given[0].form = kHostile;
  EXPECT_EQ(page_with({network}).elements.at("script"), 1) << "the page's own";
}

TEST_F(NetworkSection, CountsItsLayouts) {
  page_with({kept_network()});
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  EXPECT_EQ(text("figures/layouts-net-cpu.csv"),
            "layout,tensors,%\nnChw16c,1,50\nrow-major,1,50\n");
}

TEST_F(NetworkSection, ItsFigureIsAFileThatDrawsAgain) {
  page_with({kept_network()});
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  EXPECT_EQ(text("figures/network-net-cpu.csv"),
            "label,series,value\nconv + 1,nChw16c,3e-06\npool,row-major,1e-06\n");
}

}  // namespace
}  // namespace dovetail
