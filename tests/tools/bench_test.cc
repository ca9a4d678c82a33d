// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"
#include "tests/tools/run_program.h"
#include "tools/bench_report.h"
#include "tools/external_peers.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kSpec = "gmm:m=16,n=16,k=16";

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
  EXPECT_EQ(ratios.plain, std::nullopt);
}

TEST(BenchRatios, AreMissingWhereOursFailed) {
  BenchRow row = row_with(2, 3, 8);
  row.times.ours.status = Status::wrong_output;
  EXPECT_EQ(ratios_of(row).ratio, std::nullopt);
}

#if DOVETAIL_HAVE_LLVM

TEST(Bench, ComparesWithTimesFromElsewhere) {
  const TemporaryFolder folder;
  folder.write("peers.jsonl", R"({"spec": "gmm:m=16,n=16,k=16", "peer": "them", "seconds": 1})"
                              "\n");
  ASSERT_EQ(run_dovetail({"tune", kSpec, "--trials", "2", "--log", "a.jsonl"}, folder).exit_code,
            0);
  const ProgramRun run = run_dovetail(
      {"bench", kSpec, "--log", "a.jsonl", "--against", "peers.jsonl", "--json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json row = Json::parse(run.out)["rows"][0];
  EXPECT_EQ(row["spec"], kSpec);
  EXPECT_EQ(row["peers"], Json({{"them", 1}}));
  EXPECT_EQ(row["best_peer"], "them");
  EXPECT_GT(row["seconds"], 0);
  EXPECT_GT(row["plain_seconds"], 0);
  EXPECT_NEAR(row["ratio"].get<double>() * row["seconds"].get<double>(), 1, 1e-9);
  EXPECT_EQ(row["algorithm"], "direct");
  EXPECT_EQ(row["match"], "exact");
  EXPECT_EQ(row["max_abs_error"].is_number(), true);
}

TEST(Bench, RefusesPeersThatItCannotHave) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_dovetail({"tune", kSpec, "--trials", "1", "--log", "a.jsonl"}, folder).exit_code,
            0);
  const ProgramRun run =
      run_dovetail({"bench", kSpec, "--log", "a.jsonl", "--against", "mkl"}, folder);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err,
            "dovetail: bench: unknown peer 'mkl'; expected onednn, libtorch, openblas, or a FILE "
            "of external times\n");
}

TEST(Bench, SaysWhatItTakesTheDefaultTraceFor) {
  const TemporaryFolder folder;
  folder.write("peers.json", R"([{"spec": "gmm:m=4,n=4,k=4", "peer": "them", "seconds": 1}])");
  ASSERT_EQ(run_dovetail({"tune", kSpec, "--trials", "1", "--log", "a.jsonl"}, folder).exit_code,
            0);
  const ProgramRun run = run_dovetail(
      {"bench", "gmm:m=4,n=4,k=4", "--log", "a.jsonl", "--against", "peers.json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("default: no record"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("geometric means: ratio"), std::string::npos) << run.out;
}

#endif

}  // namespace
}  // namespace dovetail
