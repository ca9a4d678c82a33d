// SPDX-License-Identifier: Apache-2.0
// log distill, merge and export, as a user runs them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/record/gzip.h"
#include "core/record/line/log_line.h"
#include "core/record/log/log.h"
#include "tests/support/golden.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

Record trial_of(int64_t number, double seconds, Caches caches = Caches::hot) {
  Record record;
  record.caches = caches;
  record.trial = number;
  record.task = "gmm:m=8,n=8,k=8";
  record.target = "cpu";
  record.trace = "loops:\n";
  record.result.status = Status::ok;
  record.result.seconds = seconds;
  record.result.samples = {seconds};
  record.strategy = "random";
  record.elapsed_seconds = double(number);
  return record;
}

class LogRewrites : public ::testing::Test {
 protected:
  LogRewrites() {
    write("a.jsonl", "aa", {trial_of(1, 2e-6), trial_of(2, 1e-6), trial_of(3, 3e-6)});
    write("b.jsonl", "bb", {trial_of(1, 4e-6)});
  }
  void write(const std::string& name, const std::string& id, std::vector<Record> records,
             Options options = {}) const {
    Log log;
    LogHeader header;
    header.id = id;
    header.started = "2026-11-20T08:15:00Z";
    header.target = "cpu";
    header.options = std::move(options);
    log.headers = {header};
    log.records = std::move(records);
    folder_.write(name, print(log));
  }
  ProgramRun log(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "log");
    return run_dovetail(arguments, folder_);
  }
  std::string text(const std::string& name) const { return *read_file(folder_.path(name)); }

  TemporaryFolder folder_;
};

TEST_F(LogRewrites, KeepTimesOfSeveralStatesApart) {
  write("cold.jsonl", "cc", {trial_of(1, 5e-6, Caches::cold)}, {{"cache", "cold"}});
  ASSERT_EQ(log({"merge", "a.jsonl", "cold.jsonl", "-o", "both.jsonl"}).exit_code, 0);
  const Json best = Json::parse(log({"best", "both.jsonl", "--json"}).out);
  ASSERT_EQ(best["tasks"].size(), 2u);
  EXPECT_EQ(best["tasks"][0]["seconds"], 1e-6);
  EXPECT_FALSE(best["tasks"][0].contains("caches"));
  EXPECT_EQ(best["tasks"][1]["seconds"], 5e-6);
  EXPECT_EQ(best["tasks"][1]["caches"], "cold");
  EXPECT_EQ(log({"distill", "both.jsonl", "-o", "small.jsonl"}).exit_code, 0);
  EXPECT_EQ(read_log(folder_.path("small.jsonl"))->records.size(), 2u);
}

TEST_F(LogRewrites, PutTimesOfOneStateIntoAT4File) {
  write("cold.jsonl", "cc", {trial_of(1, 5e-6, Caches::cold)}, {{"cache", "cold"}});
  const ProgramRun both = log({"export", "a.jsonl", "cold.jsonl"});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_EQ(both.err,
            "dovetail: log cold.jsonl: campaign 1 has times of cold caches, and campaign 1 of "
            "a.jsonl of hot ones, which do not compare: expected times of one kind, or --cache to "
            "choose one\n");
  EXPECT_EQ(log({"export", "--format", "csv", "a.jsonl", "cold.jsonl"}).exit_code, 0);
  const Json alone = Json::parse(log({"export", "a.jsonl", "cold.jsonl", "--cache", "cold"}).out);
  EXPECT_EQ(alone["metadata"]["caches"], "cold");
  EXPECT_EQ(alone["results"].size(), 1u);
  EXPECT_FALSE(Json::parse(log({"export", "a.jsonl"}).out)["metadata"].contains("caches"));
  EXPECT_EQ(log({"export", "a.jsonl", "--cache", "warm"}).err,
            "dovetail: log export --cache: found 'warm', expected one of: hot, cold, network:l3, "
            "network:memory\n");
}

TEST_F(LogRewrites, OfSeveralStatesAreReplayedAndTimedInAChosenOne) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const std::string spec = "gmm:m=8,n=8,k=8";
  for (const std::string cache : {"hot", "network:l3"}) {
    const ProgramRun run = run_dovetail(
        {"tune", spec, "--trials", "2", "--log", "both.jsonl", "--append", "--cache", cache},
        folder_);
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  for (const std::string verb : {"replay", "bench"}) {
    const ProgramRun run = run_dovetail({verb, spec, "--log", "both.jsonl"}, folder_);
    EXPECT_EQ(run.exit_code, 1) << verb;
    EXPECT_NE(run.err.find("which do not compare"), std::string::npos) << run.err;
  }
  const auto replay = [&](const std::string& cache) {
    return run_dovetail({"replay", spec, "--log", "both.jsonl", "--cache", cache, "--json"},
                        folder_);
  };
  const auto campaign_of = [](const ProgramRun& run) {
    return Json::parse(run.out)["tasks"][0]["record"].get<std::string>().substr(0, 12);
  };
  EXPECT_EQ(campaign_of(replay("hot")), "both.jsonl#1");
  EXPECT_EQ(campaign_of(replay("network:l3")), "both.jsonl#2");
  const ProgramRun nearest = replay("network:memory");
  EXPECT_EQ(campaign_of(nearest), "both.jsonl#2");
  EXPECT_NE(nearest.err.find("1 of 1 tasks have times of network:l3 caches, and none of "
                             "network:memory ones"),
            std::string::npos)
      << nearest.err;
}

TEST_F(LogRewrites, MigrateWritesThisSchemaAndKeepsALogOfItToTheByte) {
  for (const std::string name : {"", "_rounds", "_cold"}) {
    const auto golden = [&](const std::string& schema) {
      return testing::source_file("tests/golden/core/record/" + schema + name + ".jsonl");
    };
    for (const std::string schema : {"schema_1", "schema_2"}) {
      folder_.write("old.jsonl", golden(schema));
      const ProgramRun run = log({"migrate", "old.jsonl", "-o", "new.jsonl"});
      ASSERT_EQ(run.exit_code, 0) << run.err;
      EXPECT_EQ(text("new.jsonl"), golden("schema_2")) << schema << name;
    }
  }
}

TEST_F(LogRewrites, MigrateRefusesALogOfALaterSchema) {
  std::string object = *open_line(print(LogHeader()));
  object.replace(object.find("\"schema\":2"), 10, "\"schema\":9");
  folder_.write("later.jsonl", seal_line(object) + "\n");
  const ProgramRun run = log({"migrate", "later.jsonl", "-o", "new.jsonl"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("schema 9 is newer than this program's 2"), std::string::npos) << run.err;
}

TEST_F(LogRewrites, DistillWritesALogThatIsSoundAndHasTheBest) {
  const ProgramRun run = log({"distill", "a.jsonl", "-o", "best.jsonl"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "best.jsonl: 1 campaign, 1 trial, 0 other records\n");
  EXPECT_NE(text("best.jsonl").find(print(trial_of(2, 1e-6)) + "\n"), std::string::npos);
  const ProgramRun verify = log({"verify", "best.jsonl"});
  EXPECT_EQ(verify.exit_code, 0) << verify.out;
  EXPECT_NE(verify.out.find("sound; 2 lines, 1 campaign (1 distilled), 1 trial"), std::string::npos)
      << verify.out;
  EXPECT_EQ(Json::parse(log({"best", "best.jsonl", "--json"}).out)["tasks"][0]["record"],
            "best.jsonl#1.2");
}

TEST_F(LogRewrites, MergeIsTheSameInAnyOrder) {
  const ProgramRun run =
      log({"merge", "a.jsonl", "b.jsonl", "a.jsonl", "-o", "ab.jsonl", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Json counts = Json::parse(run.out);
  EXPECT_EQ(counts["schema"], "dovetail-log-file-1");
  counts.erase("schema");
  counts.erase("version");
  EXPECT_EQ(counts,
            (Json{{"file", "ab.jsonl"}, {"campaigns", 2}, {"trials", 4}, {"other_records", 0}}));
  EXPECT_EQ(log({"merge", "b.jsonl", "a.jsonl"}).out, text("ab.jsonl"));
  EXPECT_EQ(log({"merge", "ab.jsonl", "b.jsonl"}).out, text("ab.jsonl"));
}

TEST_F(LogRewrites, ReadCompressedLogsAndWriteOneWhereItsNameSaysSo) {
  ASSERT_EQ(log({"merge", "a.jsonl", "b.jsonl", "-o", "ab.jsonl"}).exit_code, 0);
  const ProgramRun run = log({"merge", "a.jsonl", "b.jsonl", "-o", "ab.jsonl.gz"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(text("ab.jsonl.gz"), gzip(text("ab.jsonl")));
  EXPECT_EQ(log({"merge", "ab.jsonl.gz", "b.jsonl"}).out, text("ab.jsonl"));
  EXPECT_EQ(log({"verify", "ab.jsonl.gz"}).exit_code, 0);
  const ProgramRun best = log({"best", "ab.jsonl.gz", "--json"});
  EXPECT_EQ(Json::parse(best.out)["tasks"][0]["record"], "ab.jsonl.gz#1.2") << best.err;
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "the rest needs the target of this CPU";
  EXPECT_EQ(run_dovetail({"show", "ab.jsonl.gz#1.2", "--what", "trace"}, folder_).out, "loops:\n");
}

TEST_F(LogRewrites, ExportGoesToStdoutOrAFile) {
  EXPECT_EQ(Json::parse(log({"export", "a.jsonl", "b.jsonl"}).out)["results"].size(), 4u);
  ASSERT_EQ(log({"export", "a.jsonl", "--format", "csv", "-o", "a.csv"}).exit_code, 0);
  EXPECT_EQ(testing::count_lines(text("a.csv")), 4u);
}

TEST_F(LogRewrites, ExportOfATaskHasItsRecordsAlone) {
  const std::vector<std::string> csv = {"export", "a.jsonl", "--format", "csv", "--task"};
  std::vector<std::string> its = csv, others = csv;
  its.emplace_back("gmm:n=8,m=8,k=8");  // as anybody may write it
  others.emplace_back("gmm:m=9,n=9,k=9");
  EXPECT_EQ(testing::count_lines(log(its).out), 4u);
  const ProgramRun run = log(others);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("--task gmm:m=9,n=9,k=9: no record of it"), std::string::npos) << run.err;
}

TEST_F(LogRewrites, NeverReplaceTheLogItself) {
  const std::string before = text("a.jsonl");
  const ProgramRun run = log({"distill", "b.jsonl", "a.jsonl", "-o", "./a.jsonl"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "dovetail: -o ./a.jsonl: that is the log a.jsonl itself\n");
  EXPECT_EQ(text("a.jsonl"), before);
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"a.jsonl", "b.jsonl"}));
}

}  // namespace
}  // namespace dovetail
