// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/log_verbs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/record/log/log.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Record record_of(int64_t trial, const std::string& task, Status status, double seconds) {
  Record record;
  record.trial = trial;
  record.task = task;
  record.target = "cpu";
  record.trace = "loops:\n";
  record.is_default = trial == 1;
  record.result.status = status;
  record.result.seconds = seconds;
  if (seconds > 0) record.result.samples = {seconds};
  if (status != Status::ok) record.result.reason = "as the test wants it";
  record.strategy = "random";
  return record;
}

class LogVerbs : public ::testing::Test {
 protected:
  LogVerbs() {
    LogHeader header;
    header.tool = "dovetail 0.1.0";
    header.target = "cpu";
    header.device = {"EPYC", "x86_64/16", {}};
    header.driver = "LLVM 19.1.7";
    write(print(header) + "\n" + print(record_of(1, kGmm, Status::ok, 0.002)) + "\n" +
          print(record_of(2, kGmm, Status::timeout, 0)) + "\n" +
          print(record_of(3, kGmm, Status::ok, 0.001)) + "\n");
  }

  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
  }
  Outcome run(RunLog verb, bool json = false) const {
    std::ostringstream out;
    std::ostringstream err;
    const Result<ExitCode> code = verb({.logs = {path_}, .json = json}, out, err);
    if (!code) err << code.error().message << "\n";
    return {.code = static_cast<int>(code.value_or(ExitCode::bad_input)),
            .out = out.str(),
            .err = err.str()};
  }

  static constexpr const char* kGmm = "gmm:m=512,n=512,k=512";
  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_.path("tune.jsonl");
};

TEST_F(LogVerbs, BestIsATableOfTheFastestValidRecords) {
  const Outcome best = run(run_log_best);
  EXPECT_EQ(best.code, 0);
  EXPECT_EQ(best.err, "");
  EXPECT_EQ(best.out, path_ +
                          " on cpu, EPYC\n\n"
                          "trials  default (us)  best (us)  +/- (%)  GFLOP/s  record  operator\n"
                          "     3          2000       1000        -    268.4  #1.3    "
                          "gmm:m=512,n=512,k=512\n");
}

TEST_F(LogVerbs, BestAsJsonNamesRecordAndTrace) {
  const Json best = Json::parse(run(run_log_best, true).out);
  EXPECT_EQ(best["count"], 1);
  const Json& task = best["tasks"][0];
  EXPECT_EQ(task["spec"], kGmm);
  EXPECT_EQ(task["seconds"], 0.001);
  EXPECT_NEAR(task["gflops"], 2.0 * 512 * 512 * 512 / 0.001 / 1e9, 1e-6);
  EXPECT_EQ(task["record"], path_ + "#1.3");
  EXPECT_EQ(task["trace"], "loops:\n");
}

TEST_F(LogVerbs, BestExitsWith2WhenATaskHasNoValidRecord) {
  write(print(record_of(1, "gmm:m=8,n=8,k=8", Status::run_error, 0)) + "\n");
  EXPECT_EQ(run(run_log_best).code, 2);
  EXPECT_EQ(Json::parse(run(run_log_best, true).out)["tasks"][1]["seconds"], nullptr);
}

TEST_F(LogVerbs, StatsCountTrialsAndFailures) {
  const Outcome table = run(run_log_stats);
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.out.find("1 timeout"), std::string::npos) << table.out;
  const Json stats = Json::parse(run(run_log_stats, true).out);
  EXPECT_EQ(stats["trials"], 3);
  EXPECT_EQ(stats["valid"], 2);
  EXPECT_EQ(stats["campaigns"][0]["device"], "EPYC");
  const Json& task = stats["tasks"][0];
  EXPECT_EQ(task["failed"], (Json{{"timeout", 1}}));
  EXPECT_EQ(task["default_seconds"], 0.002);
  EXPECT_EQ(task["median_seconds"], 0.0015);
  EXPECT_EQ(task["best_seconds"], 0.001);
  EXPECT_EQ(task["record"], path_ + "#1.3");
}

TEST_F(LogVerbs, VerifyFindsASoundLogSoundEvenWhenTorn) {
  EXPECT_EQ(run(run_log_verify).code, 0);
  write("{\"trial\":4,\"cam");
  const Outcome torn = run(run_log_verify);
  EXPECT_EQ(torn.code, 0);
  EXPECT_NE(torn.out.find("unfinished last line; no damage"), std::string::npos) << torn.out;
  EXPECT_EQ(Json::parse(run(run_log_verify, true).out)["logs"][0]["torn"], true);
}

TEST_F(LogVerbs, VerifyListsEveryDamagedLineAndExitsWith1) {
  write("hello\n{}\n");
  const Outcome damaged = run(run_log_verify);
  EXPECT_EQ(damaged.code, 1);
  EXPECT_NE(damaged.out.find(path_ + " line 5: not a JSON object; skipped\n"), std::string::npos);
  EXPECT_NE(damaged.out.find(path_ + " line 6: no checksum"), std::string::npos) << damaged.out;
  const Json json = Json::parse(run(run_log_verify, true).out);
  EXPECT_EQ(json["sound"], false);
  EXPECT_EQ(json["logs"][0]["bad_lines"].size(), 2u);
  EXPECT_EQ(json["logs"][0]["bad_lines"][0]["line"], 5);
}

TEST_F(LogVerbs, WarnOfSkippedLinesOnceTheyAreTooManyInOneLine) {
  for (int i = 0; i < 7; ++i) write("hello\n");
  const Outcome best = run(run_log_best);
  EXPECT_EQ(best.code, 0);
  EXPECT_EQ(std::count(best.err.begin(), best.err.end(), '\n'), 6);
  EXPECT_NE(best.err.find("2 more such lines; `log verify` lists them"), std::string::npos);
}

TEST_F(LogVerbs, AnswerAFileThatIsNoLogInOneLineWithExit1) {
  std::ofstream(path_, std::ios::trunc) << "hello\n";
  for (RunLog* const verb : {run_log_best, run_log_stats, run_log_verify}) {
    const Outcome outcome = run(verb);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("is not a log: line 1 (hello)"), std::string::npos);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  }
}

}  // namespace
}  // namespace dovetail
