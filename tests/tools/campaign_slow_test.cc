// SPDX-License-Identifier: Apache-2.0
// A campaign timed with cold caches; large caches take long to flush.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/record/log/log.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

TEST(ColdCampaign, SaysSoInItsHeaderAndEveryRecordAndIsReplayedCold) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the CPU backend";
  const TemporaryFolder folder;
  const std::string gmm = "gmm:m=16,n=32,k=8";
  const ProgramRun run = run_dovetail(
      {"tune", gmm, "--trials", "2", "--log", "a.jsonl", "--cache", "cold", "--json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(OrderedJson::parse(run.out)["tasks"][0]["percent_of_roof"].is_null());
  const Result<Log> log = read_log(folder.path("a.jsonl"));
  EXPECT_EQ(log->headers[0].options.at("cache"), OptionValue("cold"));
  ASSERT_FALSE(log->records.empty());
  for (const Record& record : log->records) EXPECT_EQ(record.caches, Caches::cold);
  const ProgramRun replay = run_dovetail({"replay", gmm, "--log", "a.jsonl"}, folder);
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_NE(replay.err.find("with cold caches, as in the log"), std::string::npos) << replay.err;
}

}  // namespace
}  // namespace dovetail
