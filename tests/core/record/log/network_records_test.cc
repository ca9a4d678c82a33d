// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/network_records.h"

#include <gtest/gtest.h>

#include "core/record/log/distill.h"
#include "core/record/log/log_writer.h"
#include "core/record/log/merge.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

NetworkRecord network_of(const std::string& graph, int64_t trials, double seconds) {
  NetworkRecord network;
  network.graph = graph;
  network.trials = trials;
  network.seconds = seconds;
  return network;
}

class NetworkRecords : public ::testing::Test {
 protected:
  void SetUp() override {
    OpenedLog log = right(open_for_tune(path_, LogMode::fresh, testing::sample_header()));
    for (const int64_t trial : {1, 2}) EXPECT_TRUE(log.writer.append(testing::sample_trial(trial)));
  }
  void keep(const NetworkRecord& network) { EXPECT_TRUE(keep_network(path_, network)); }
  std::optional<NetworkRecord> kept(const std::string& graph) {
    const std::vector<NetworkRecord> all =
        kept_networks(right(read_log(path_)), network_of(graph, 0, 0));
    EXPECT_LE(all.size(), 1u);
    return all.empty() ? std::nullopt : std::optional(all.front());
  }

  testing::TemporaryFolder folder_;
  const std::string path_ = folder_.path("a.jsonl");
};

TEST_F(NetworkRecords, AreFoundByGraphAndTheLastOneHolds) {
  keep(network_of("a", 2, 0.5));
  keep(network_of("a", 2, 0.25));
  keep(network_of("b", 2, 1));
  ASSERT_TRUE(kept("a").has_value());
  EXPECT_EQ(kept("a")->seconds, 0.25);
  EXPECT_EQ(kept("b")->seconds, 1);
  EXPECT_FALSE(kept("c").has_value());
}

TEST_F(NetworkRecords, SayWhatNoneOfThemIs) {
  const auto missing = [&](const NetworkRecord& like) {
    return which_is_not_kept(right(read_log(path_)), like);
  };
  NetworkRecord like = network_of("a", 0, 0);
  like.target = "cpu";
  like.device = "AMD EPYC";
  EXPECT_EQ(missing(like), "");
  NetworkRecord other = like;
  const auto expect_after = [&](const std::string& expected) {
    other.trials = 2;
    keep(other);
    EXPECT_EQ(missing(like), expected);
  };
  other.graph = "b";
  expect_after(" of this model");
  other.graph = "a";
  other.target = "cpu:threads=2";
  expect_after(" for cpu");
  other.target = "cpu";
  other.device = "AMD Ryzen";
  expect_after(" for AMD EPYC");
  other.device = "AMD EPYC";
  other.exact = true;
  expect_after(" chosen without --exact");
  other.exact = false;
  other.trials = 1;
  keep(other);
  EXPECT_EQ(missing(like), " chosen since its last trial");
  other.memory_limit_bytes = 1000;
  like.memory_limit_bytes = 500;
  expect_after(" that fits");
}

TEST_F(NetworkRecords, SatisfyExactIfTheirTracesDo) {
  NetworkRecord exact = network_of("a", 2, 4), direct = network_of("a", 2, 3);
  exact.exact = true;
  const std::string sum = "layout X:\nlayout W:\nlayout Y:\nloops:\n";
  direct.nodes = {{.node = "c1", .trace = sum, .forms = {}}};
  NetworkRecord fast = direct;
  fast.nodes.push_back({.node = "c2", .trace = "algorithm: winograd(tile=4)\n" + sum, .forms = {}});
  EXPECT_TRUE(has_exact_traces(direct));
  EXPECT_FALSE(has_exact_traces(fast));

  keep(fast);
  EXPECT_TRUE(kept_networks(right(read_log(path_)), exact).empty());
  EXPECT_EQ(which_is_not_kept(right(read_log(path_)), exact), " chosen with --exact");
  keep(direct);
  const auto seconds = [&] {
    std::vector<double> all;
    for (const NetworkRecord& network : kept_networks(right(read_log(path_)), exact))
      all.push_back(network.seconds);
    return all;
  };
  EXPECT_EQ(seconds(), (std::vector<double>{3}));
  keep(exact);
  EXPECT_EQ(seconds(), (std::vector<double>{4, 3})) << "those chosen as exact come first";
}

TEST_F(NetworkRecords, OfLargerLimitsAreFoundTheLargestFirst) {
  const auto within = [](std::optional<int64_t> bytes, double seconds) {
    NetworkRecord network = network_of("a", 2, seconds);
    network.memory_limit_bytes = bytes;
    return network;
  };
  keep(within(40, 4));
  keep(within(60, 3));
  keep(within(80, 2));
  keep(within(80, 2.5));
  keep(within(std::nullopt, 1));
  const Log log = right(read_log(path_));
  const auto seconds_within = [&](std::optional<int64_t> bytes) {
    std::vector<double> seconds;
    for (const NetworkRecord& network : kept_networks(log, within(bytes, 0)))
      seconds.push_back(network.seconds);
    return seconds;
  };
  EXPECT_EQ(seconds_within(50), (std::vector<double>{1, 2.5, 3}));
  EXPECT_EQ(seconds_within(60), (std::vector<double>{1, 2.5, 3}));
  EXPECT_EQ(seconds_within(90), (std::vector<double>{1}));
  EXPECT_EQ(seconds_within(std::nullopt), (std::vector<double>{1}));
}

TEST_F(NetworkRecords, AreNoneOnceTheLogHasLearntMore) {
  keep(network_of("a", 2, 0.5));
  OpenedLog log = right(open_for_tune(path_, LogMode::append, testing::sample_header()));
  EXPECT_TRUE(log.writer.append(testing::sample_trial(1)));
  EXPECT_FALSE(kept("a").has_value());
}

TEST_F(NetworkRecords, StayWhenALogIsRewritten) {
  keep(network_of("a", 2, 0.5));
  const Log log = right(read_log(path_));
  EXPECT_EQ(kept_networks(distill(log), network_of("a", 0, 0)).size(), 1u);
  EXPECT_EQ(merge({log, log}).others.size(), 1u);
  EXPECT_EQ(kept_networks(merge({log, log}), network_of("a", 0, 0)).size(), 1u);
}

TEST_F(NetworkRecords, AreNotAddedWhereNobodyMayWrite) {
  const OpenedLog writing = right(open_for_tune(path_, LogMode::append, testing::sample_header()));
  EXPECT_ERROR(keep_network(path_, network_of("a", 2, 1)), "is being written by another process");
  EXPECT_ERROR(keep_network(folder_.path("none.jsonl"), network_of("a", 2, 1)), "does not exist");
  EXPECT_ERROR(keep_network(folder_.path("b.jsonl.gz"), network_of("a", 2, 1)), "compressed");
}

}  // namespace
}  // namespace dovetail
