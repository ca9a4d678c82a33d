// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "campaign/bench/bench_report.h"
#include "campaign/bench/bench_save.h"
#include "campaign/bench/external_peers.h"
#include "core/base/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::TemporaryFolder;

TEST(ExternalTimes, AreReadFromLinesAnArrayOrAnObject) {
  const std::string row = R"({"spec": "gmm:b=1,m=4,n=4,k=4", "peer": "a", "seconds": 2e-6})";
  const std::vector<ExternalTime> expected = {{"gmm:m=4,n=4,k=4", "a", 2e-6, "direct"}};
  EXPECT_EQ(*parse_external_times(row + "\n\n", "f"), expected);
  EXPECT_EQ(*parse_external_times("[" + row + "]", "f"), expected);
  EXPECT_EQ(*parse_external_times(R"({"rows": [)" + row + "]}", "f"), expected);
}

TEST(ExternalTimes, SayWhichRowIsWrong) {
  const auto parsed = [](const std::string& text) { return parse_external_times(text, "f"); };
  EXPECT_ERROR(parsed("{}\n"), "f row 1: field spec is missing or no text");
  EXPECT_ERROR(parsed(R"([{"spec": "gmm:m=4,n=4,k=4", "peer": "a"}])"),
               "f row 1: field seconds is missing");
  EXPECT_ERROR(parsed(R"([{"spec": "gmm:m=4,n=4,k=4", "peer": "a", "seconds": -1}])"),
               "f row 1: seconds is -1, expected a positive number");
  EXPECT_ERROR(parsed(R"([{"spec": "gmm:m=4", "peer": "a", "seconds": 1}])"),
               "f row 1: spec \"gmm:m=4\": key n");
  EXPECT_ERROR(parsed("{}\nnothing\n"), "f line 2: no JSON");
  EXPECT_ERROR(parsed(""), "f has no rows");
}

BenchRow row_with(double ours, double peer_free, double peer_direct) {
  BenchRow row;
  row.times.ours.status = Status::ok;
  row.times.ours.seconds = ours;
  row.times.direct = 2 * ours;
  row.times.peers["onednn"].free = peer_free;
  row.times.peers["onednn"].direct = peer_direct;
  return row;
}

TEST(BenchRatios, AreOfTheBestPeerToOurs) {
  BenchRow row = row_with(2, 3, 8);
  row.external = {{"", "winograd_elsewhere", 1, "winograd"}, {"", "slow", 9, "direct"}};
  const BenchRatios ratios = ratios_of(row);
  EXPECT_EQ(ratios.best_peer, "winograd_elsewhere");
  EXPECT_EQ(ratios.ratio, 0.5);
  EXPECT_EQ(ratios.direct, 2);
  EXPECT_EQ(ratios.row_major, std::nullopt);
}

TEST(BenchRatios, AreMissingWhereOursFailed) {
  BenchRow row = row_with(2, 3, 8);
  row.times.ours.status = Status::wrong_output;
  EXPECT_EQ(ratios_of(row).ratio, std::nullopt);
}

TEST(BenchRatios, OfKernelsBesideAreTheirTimeOverOurs) {
  BenchRow row = row_with(2, 3, 8);
  const RecordedTask task;
  const auto timed = [](double seconds) {
    MeasureResult result;
    result.status = Status::ok;
    result.seconds = seconds;
    return result;
  };
  row.beside = {{.name = "slow", .task = &task, .result = timed(6)},
                {.name = "fast", .task = &task, .result = timed(1)},
                {.name = "failed", .task = &task},
                {.name = "absent"}};
  const BenchRatios ratios = ratios_of(row);
  EXPECT_EQ(ratios.beside.at("slow"), 3);
  EXPECT_EQ(ratios.beside.at("fast"), 0.5);
  EXPECT_EQ(ratios.beside.at("failed"), std::nullopt);
  EXPECT_EQ(ratios.beside.at("absent"), std::nullopt);
  EXPECT_EQ(ratios.best_beside, "fast");
  EXPECT_EQ(ratios.of_best_beside, 0.5);
}

TEST(BenchProblems, NamePeersThatHaveOneReasonTogether) {
  TaskSpace space{.task = {}, .space = Space({}, {}, {}, {}, {})};
  space.task.name = "pool";
  RecordedTask task;
  task.space = &space;
  BenchRow row = row_with(2, 3, 8);
  row.task = &task;
  row.times.peers["libtorch"].reason = row.times.peers["openblas"].reason = "none";
  row.times.peers["onednn"].choice.rejected = {"wino: wrong"};
  EXPECT_EQ(problems_of(row), (std::vector<std::string>{"pool: libtorch, openblas: none",
                                                        "pool: onednn: not used: wino: wrong"}));
}

BenchTimes some_times() {
  BenchTimes times;
  times.ours.status = Status::ok;
  times.ours.seconds = 1.25e-6;
  times.ours.max_abs_error = 0.5;
  times.direct = 2e-6;
  times.row_major_reason = "no \"layout\"";
  times.beside["nohw"].status = Status::timeout;
  times.beside["nohw"].reason = "slow";
  PeerTimes& peer = times.peers["onednn"];
  peer.version = "3.7";
  peer.free = 3e-6;
  peer.choice.free = ChosenImplementation{.name = "brg", .algorithm = "direct"};
  peer.choice.rejected = {"wino: wrong"};
  return times;
}

TEST(SavedRows, AreFoundAgainByWhatWasAsked) {
  const TemporaryFolder folder;
  const std::string path = folder.path("rows.jsonl");
  ASSERT_TRUE(SavedRows::open(path)->add("a", some_times()));
  const SavedRows again = *SavedRows::open(path);
  ASSERT_NE(again.find("a"), nullptr);
  EXPECT_EQ(again.find("b"), nullptr);
  ASSERT_TRUE(SavedRows::open(folder.path("copy.jsonl"))->add("a", *again.find("a")));
  EXPECT_EQ(*read_file(path), *read_file(folder.path("copy.jsonl")));
  EXPECT_EQ(again.find("a")->peers.at("onednn").free, 3e-6);
  EXPECT_EQ(again.find("a")->row_major, std::nullopt);
  EXPECT_EQ(again.find("a")->beside.at("nohw").status, Status::timeout);
}

TEST(SavedRows, DoNotKeepAKernelThatFailed) {
  const TemporaryFolder folder;
  BenchTimes times = some_times();
  times.ours.status = Status::worker_lost;
  ASSERT_TRUE(SavedRows::open(folder.path("rows.jsonl"))->add("a", times));
  EXPECT_EQ(SavedRows::open(folder.path("rows.jsonl"))->find("a"), nullptr);
}

TEST(SavedRows, LoseOnlyTheLineThatAKillCutOff) {
  const TemporaryFolder folder;
  const std::string path = folder.path("rows.jsonl");
  ASSERT_TRUE(SavedRows::open(path)->add("a", some_times()));
  std::ofstream(path, std::ios::app) << "{\"asked\":\"b\",\"ti";
  SavedRows cut = *SavedRows::open(path);
  EXPECT_NE(cut.find("a"), nullptr);
  ASSERT_TRUE(cut.add("c", some_times()));
  EXPECT_NE(SavedRows::open(path)->find("c"), nullptr);
}

TEST(SavedRows, LeaveAFileOfSomethingElseAlone) {
  const TemporaryFolder folder;
  for (const std::string text : {"hello", "hello\n", "{\"schema\":1}\n"}) {
    folder.write("other", text);
    EXPECT_ERROR(SavedRows::open(folder.path("other")), "line 1: not a row of bench --save");
    EXPECT_EQ(*read_file(folder.path("other")), text);
  }
  EXPECT_ERROR(SavedRows::open(folder.path(".")), "expected a plain file");
}

}  // namespace
}  // namespace dovetail
