// SPDX-License-Identifier: Apache-2.0
// bench against oneDNN, where it was built in, on one thread and on two: every operator has times,
// and outputs are right.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/bench/bench_contest.h"
#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "measure/peers/peer_session.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

void expect_compared(const std::string& target) {
  if (!PeerSession::start("onednn", {allowed_cores().back()})) GTEST_SKIP() << "no oneDNN here";
  const TemporaryFolder folder;
  folder.write("few.txt",
               "conv = c2d:ci=16,co=32,h=14,w=14,k=3,p=1+bias+relu\n"
               "line = c1d:ci=16,co=32,w=64,k=3,s=2,p=1\n"
               "product = gmm:m=64,n=64,k=64\n");
  ASSERT_EQ(
      run_dovetail({"tune", "@few.txt", "--target", target, "--trials", "4", "--log", "a.jsonl"},
                   folder)
          .exit_code,
      0);
  const ProgramRun run = run_dovetail({"bench", "@few.txt", "--target", target, "--log", "a.jsonl",
                                       "--against", "onednn", "--json"},
                                      folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json result = Json::parse(run.out);
  ASSERT_EQ(result["rows"].size(), 3u);
  for (const Json& row : result["rows"]) {
    const Json& details = row["peer_details"]["onednn"];
    EXPECT_GT(row["ratio"], 0) << row.dump(2);
    EXPECT_GT(row["ratio_row_major"], 0) << row.dump(2);
    EXPECT_GT(row["ratio_direct"], 0) << row.dump(2);
    EXPECT_GE(row["row_major_seconds"], 0.5 * row["seconds"].get<double>());
    EXPECT_EQ(row["best_peer"], "onednn");
    EXPECT_EQ(row["max_abs_error"].is_number(), true);
    EXPECT_LT(details["max_rel_error"], 1e-3);
    EXPECT_EQ(details["rejected"].size(), 0u) << details.dump(2);
  }
  EXPECT_GT(result["geomean_ratio"], 0);
  EXPECT_GT(result["geomean_ratio_direct"], 0);
}

TEST(BenchContest, TimesOurWinogradAndOurDirectKernelApart) {
  const Region region = region_of(*parse_operator("c2d:ci=16,co=16,h=12,w=12,k=3,p=1"));
  const Target target = *resolve_target("cpu");
  const auto candidate = [&](const char* trace) {
    return *materialize(region, target, *parse_trace(trace));
  };
  BenchEntry entry{.region = region,
                   .best = candidate("algorithm: winograd(tile=2)\n"
                                     "layout Y: split(axis=h, factor=2) split(axis=w, factor=2)\n"),
                   .direct = candidate(""),
                   .row_major = {},
                   .row_major_reason = {}};
  entry.row_major = *materialize({region, framework_border(region)}, target, entry.best.trace);
  BenchContest contest = *BenchContest::start(target, {});
  const BenchTimes times = contest.measure(entry);
  EXPECT_EQ(times.ours.status, Status::ok) << times.ours.reason;
  EXPECT_GT(times.ours.max_abs_error, 0);
  EXPECT_GT(times.direct.value_or(0), 0);
  EXPECT_GT(times.row_major.value_or(0), 0) << times.row_major_reason;
  EXPECT_NE(times.direct, times.ours.seconds);
}

TEST(BenchWithPeers, TimesABorderOfFrameworksInThePlainColumnAlone) {
  if (!PeerSession::start("onednn", {allowed_cores().back()})) GTEST_SKIP() << "no oneDNN here";
  const TemporaryFolder folder;
  const std::string spec = "c2d:ci=16,co=32,h=14,w=14,k=3,p=1";
  ASSERT_EQ(
      run_dovetail({"tune", spec, "--border", "framework", "--trials", "4", "--log", "a.jsonl"},
                   folder)
          .exit_code,
      0);
  const ProgramRun run = run_dovetail(
      {"bench", spec, "--border", "framework", "--log", "a.jsonl", "--against", "onednn", "--json"},
      folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json row = Json::parse(run.out).at("rows").at(0);
  EXPECT_EQ(row["match"], "exact");
  EXPECT_TRUE(row["ratio"].is_null());
  EXPECT_GT(row["ratio_row_major"], 0);
  EXPECT_EQ(row["seconds"], row["row_major_seconds"]);
}

TEST(BenchWithPeers, SayThatTheyRunNoWrittenRegion) {
  if (!PeerSession::start("onednn", {allowed_cores().back()})) GTEST_SKIP() << "no oneDNN here";
  const TemporaryFolder folder;
  const ProgramRun run = run_dovetail(
      {"bench", "Y[i]=max(A[i],0):i=64", "--log", "none", "--against", "onednn", "--json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string reason =
      "no peer runs a written region: compare its ONNX node by run MODEL --peer";
  EXPECT_NE(run.err.find(": onednn: " + reason), std::string::npos) << run.err;
  const Json row = Json::parse(run.out)["rows"][0];
  EXPECT_GT(row["seconds"], 0);
  EXPECT_TRUE(row["peers"]["onednn"].is_null());
  EXPECT_TRUE(row["ratio"].is_null());
  EXPECT_TRUE(row["peer_details"]["onednn"]["reason"].get<std::string>().starts_with(reason));
}

TEST(BenchWithPeers, OnOneThread) { expect_compared("cpu"); }

TEST(BenchWithPeers, OnTwoThreads) {
  if (allowed_cores().size() < 2) GTEST_SKIP() << "needs two cores";
  expect_compared("cpu:threads=2");
}

}  // namespace
}  // namespace dovetail

#endif
