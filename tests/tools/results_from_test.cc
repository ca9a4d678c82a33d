// SPDX-License-Identifier: Apache-2.0
// Campaigns answered from a log: no device, no worker, so whole strategies run in a moment.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/backends/backends.h"
#include "core/base/files.h"
#include "core/record/gzip.h"
#include "core/record/log/log.h"
#include "costmodel/cost_models.h"
#include "search/agent/agent.h"
#include "search/agent/saved_agent.h"
#include "search/strategies/points/points.h"
#include "search/strategies/strategies.h"
#include "tests/support/golden.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::count_lines;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::StartedProgram;
using testing::TemporaryFolder;

constexpr const char* kLittleLearning = ":epochs=2";  // what a policy is worth is tested elsewhere
constexpr const char* kManyPoints = "gmm:m=1,n=1,k=8";  // some thousand points, some hundred traces

class ResultsFrom : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    static const std::vector<Record> kAll = all_records();
    all_ = kAll;
    write("all.jsonl", all_);
  }

  // Every trace of a small space, with a made-up time.
  static std::vector<Record> all_records() {
    const Space space = *build_space(*parse_operator(kManyPoints), *resolve_target("cpu"));
    std::vector<Record> records;
    std::set<uint64_t> seen;
    for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at)) {
      const Trace trace = space.decode(*at);
      if (!seen.insert(hash(trace)).second) continue;
      records.push_back(record_of(trace, static_cast<int64_t>(records.size()) + 1));
    }
    return records;
  }

  static Record record_of(const Trace& trace, int64_t trial) {
    Record record;
    record.trial = trial;
    record.task = kManyPoints;
    record.target = "cpu";
    record.trace = print(trace);
    record.strategy = "exhaustive";
    const double seconds = 1e-6 * (1 + static_cast<double>(hash(trace) % 1000));
    if (hash(trace) % 17 == 0) {
      record.result.status = Status::timeout;
      record.result.reason = "too long";
    } else {
      record.result.status = Status::ok;
      record.result.seconds = seconds;
      record.result.samples = {seconds, seconds, seconds};
    }
    record.result.times = {.build_seconds = 0.5, .run_seconds = 0.3, .check_seconds = 0.1};
    return record;
  }

  void write(const std::string& name, const std::vector<Record>& records) {
    LogHeader header;
    header.tool = "test";
    header.target = "cpu";
    header.device = {.name = "a CPU elsewhere", .family = "x86_64/16", .more = {}};
    header.driver = "LLVM of long ago";
    std::string text = print(header) + "\n";
    for (const Record& record : records) text += print(record) + "\n";
    folder_.write(name, text);
  }

  ProgramRun tune(const std::string& log, std::vector<std::string> more,
                  const std::string& from = "all.jsonl") {
    std::vector<std::string> arguments{"tune",  kManyPoints, "--results-from", from,
                                       "--log", log,         "--seed",         "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }

  Log log(const std::string& name) { return *read_log(folder_.path(name)); }

  // A repeated campaign must have these in common with the first: everything but the time that the
  // search and the model took.
  std::vector<Record> records(const std::string& name) {
    std::vector<Record> found = log(name).records;
    for (Record& record : found)
      record.result.times.search_seconds = record.result.times.model_seconds = 0;
    return found;
  }

  // A copy of the log's first lines.
  void cut(const std::string& from, const std::string& to, size_t lines) {
    const Log whole = log(from);
    std::string text = print(whole.headers.front()) + "\n";
    ASSERT_GE(whole.records.size(), lines);
    for (size_t i = 0; i < lines; ++i) text += print(whole.records[i]) + "\n";
    folder_.write(to, text);
  }

  // A campaign, and the same one resumed after 23 records: whatever a strategy proposes that is not
  // by its seed and its results differs after them.
  void expect_repeats(const std::string& name, std::vector<std::string> options) {
    ASSERT_EQ(tune(name + "1.jsonl", options).exit_code, 0) << name;
    const std::vector<Record> first = records(name + "1.jsonl");
    EXPECT_EQ(first.size(), 66u) << name;  // six of them confirmations, the default's among them
    cut(name + "1.jsonl", name + "2.jsonl", 23);
    options.emplace_back("--resume");
    const ProgramRun run = tune(name + "2.jsonl", options);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(first, records(name + "2.jsonl")) << name;
  }

  TemporaryFolder folder_;
  std::vector<Record> all_;
};

TEST_F(ResultsFrom, RepeatEveryStrategyToTheLastRecordResumed) {
  for (const StrategyEntry& entry : strategies()) {
    std::string strategy(entry.name);
    if (entry.available && !entry.available()) continue;  // a library that this build has not
    if (entry.is_program)
      strategy += ":python3 " + (testing::source_dir() / "docs/examples/hill_climb.py").string();
    if (entry.name == "ppo") strategy += kLittleLearning;
    expect_repeats(std::string(entry.name), {"--trials", "60", "--strategy", strategy});
  }
}

TEST_F(ResultsFrom, RepeatAWholeCampaign) {
  ASSERT_EQ(tune("1.jsonl", {"--trials", "60"}).exit_code, 0);
  ASSERT_EQ(tune("2.jsonl", {"--trials", "60"}).exit_code, 0);
  EXPECT_EQ(records("1.jsonl"), records("2.jsonl"));
}

TEST_F(ResultsFrom, RepeatStrategiesThatAskALearningModel) {
  if (!make_cost_model("xgboost", {})) GTEST_SKIP() << "needs XGBoost";
  for (const std::string strategy : {"annealing", "evolutionary", "draft_verify", "dovetail"}) {
    expect_repeats(strategy, {"--trials", "60", "--strategy", strategy, "--cost-model", "xgboost"});
  }
}

// An agent that a campaign left, in campaigns after it.
TEST_F(ResultsFrom, RepeatWithAnAgentThatWasSaved) {
  if (!agent_available()) GTEST_SKIP() << "needs LibTorch";
  const auto ppo = [](std::vector<std::string> more) {
    more.insert(more.end(), {"--trials", "60", "--strategy", std::string("ppo") + kLittleLearning});
    return more;
  };
  ASSERT_EQ(tune("first.jsonl", ppo({"--save-agent", "first.agent"})).exit_code, 0);
  const std::string saved = *read_file(folder_.path("first.agent"));
  const SavedAgent agent = *parse_saved_agent(saved);
  EXPECT_EQ(agent.tasks, std::vector<std::string>{kManyPoints});
  EXPECT_EQ(agent.trials, 60);
  expect_repeats("with", ppo({"--agent", "first.agent", "--save-agent", "second.agent"}));
  EXPECT_NE(records("with1.jsonl"), records("first.jsonl"));
  // Rejected candidates count, too.
  EXPECT_GE(parse_saved_agent(*read_file(folder_.path("second.agent")))->trials, 120);
  EXPECT_EQ(*read_file(folder_.path("first.agent")), saved);
}

TEST_F(ResultsFrom, AnAgentThatDoesNotFitIsRefusedBeforeTheLogBegins) {
  folder_.write("no.agent", "dovetail cost model xgboost\n");
  const auto expect = [&](std::vector<std::string> options, const std::string& problem) {
    const ProgramRun run = tune("a.jsonl", std::move(options));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(count_lines(run.err), 1u) << run.err;
    EXPECT_NE(run.err.find(problem), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("a.jsonl")));
  };
  expect({"--agent", "no.agent"}, "--agent: strategy dovetail has no agent; ppo has");
  expect({"--save-agent", "new.agent"}, "--save-agent: strategy dovetail has no agent");
  expect({"--strategy", "ppo", "--save-agent", "new.agent", "--schedule", "gradient",
          "--total-trials", "9"},
         "--save-agent is of --schedule in_turn");
  if (!agent_available()) GTEST_SKIP() << "the rest needs LibTorch";
  expect({"--strategy", "ppo", "--agent", "no.agent"}, "no.agent: no saved agent: expected a line");
  expect({"--strategy", "ppo", "--agent", "missing.agent"}, "missing.agent");
}

bool is_running(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  status >> number >> name >> state;
  return !state.empty() && state != "Z";
}

// The strategy says that it is there once it was spoken to: then the guard that ends it is there,
// too.
TEST_F(ResultsFrom, LeaveNoStrategyProgramBehindHoweverTheProgramEnds) {
  StartedProgram tuner({"tune", kManyPoints, "--results-from", "all.jsonl", "--log", "a.jsonl",
                        "--strategy", "exec:read -r space; echo $$ > pid; sleep 1000"},
                       folder_);
  pid_t strategy = 0;
  for (int i = 0; i < 3000 && strategy == 0; ++i) {
    std::ifstream(folder_.path("pid")) >> strategy;
    ::poll(nullptr, 0, 10);
  }
  ASSERT_GT(strategy, 0);
  EXPECT_TRUE(is_running(strategy));
  tuner.send(SIGKILL);
  tuner.wait();
  for (int i = 0; i < 3000 && is_running(strategy); ++i) ::poll(nullptr, 0, 10);
  EXPECT_FALSE(is_running(strategy));
}

TEST_F(ResultsFrom, SayWhatBecameOfAStrategyProgram) {
  const ProgramRun run = tune("a.jsonl", {"--trials", "9", "--strategy", "exec:exit 5"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("strategy exec:exit 5 ended with exit code 5"), std::string::npos)
      << run.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.jsonl"))) << "nothing was done";
}

TEST_F(ResultsFrom, KeepWhatAStrategyProposedBeforeItDied) {
  folder_.write("dies.sh",
                "read -r space; echo '{\"type\":\"ready\"}'\n"
                "read -r ask; echo '{\"type\":\"propose\",\"points\":"
                "[{\"unroll_part.k\":1},{\"unroll_part.k\":2}]}'\nread -r ask; exit 5\n");
  const ProgramRun run = tune("a.jsonl", {"--trials", "40", "--strategy", "exec:sh dies.sh"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("ended with exit code 5"), std::string::npos) << run.err;
  EXPECT_GE(log("a.jsonl").records.size(), 2U) << "the default trace, and what was proposed";
}

TEST_F(ResultsFrom, AreThoseThatWereMeasured) {
  const ProgramRun run = tune("a.jsonl", {"--trials", "2000", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const OrderedJson task = OrderedJson::parse(run.out)["tasks"][0];
  double best = 1;
  size_t failed = 0;
  for (const Record& record : all_) {
    if (record.result.status == Status::ok) best = std::min(best, record.result.seconds);
    failed += record.result.status == Status::timeout;
  }
  EXPECT_EQ(task["trials"].get<size_t>(), all_.size()) << run.err;
  EXPECT_EQ(task["failed"].value("timeout", size_t{0}), failed);
  EXPECT_EQ(task["best_seconds"].get<double>(), best);
  EXPECT_TRUE(task["percent_of_peak"].is_null());
}

TEST_F(ResultsFrom, CountTheSecondsThatTheMeasurementsTook) {
  const ProgramRun run = tune("a.jsonl", {"--trials", "1000", "--seconds", "30", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const int64_t trials = OrderedJson::parse(run.out)["tasks"][0]["trials"];
  EXPECT_GE(trials, 24);  // 0.9 s each, and time is kept for confirming
  EXPECT_LE(trials, 34);
  const Log written = log("a.jsonl");
  EXPECT_NEAR(written.records[9].elapsed_seconds, 9.0, 1e-9);
}

TEST_F(ResultsFrom, OfSomeTracesRejectTheOthersAndEndWhenNoneIsLeft) {
  std::vector<Record> some;
  for (size_t i = 0; i < all_.size(); i += 10) some.push_back(all_[i]);
  write("some.jsonl", some);
  const ProgramRun run = tune("a.jsonl", {"--trials", "1000", "--json"}, "some.jsonl");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const OrderedJson task = OrderedJson::parse(run.out)["tasks"][0];
  EXPECT_EQ(task["trials"].get<size_t>(), some.size());
  EXPECT_GE(task["rejected"].get<size_t>(), all_.size() - some.size());
  EXPECT_NE(run.err.find("nothing more of what is proposed is in some.jsonl"), std::string::npos)
      << run.err;
}

TEST_F(ResultsFrom, AreShownWhereWhatWasLearntCannotBeSaved) {
  if (!make_cost_model("xgboost", {})) GTEST_SKIP() << "needs XGBoost";
  std::filesystem::create_symlink("/dev/full", folder_.path("full"));
  const ProgramRun run =
      tune("a.jsonl", {"--trials", "30", "--cost-model", "xgboost", "--save-model", "full"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("a.jsonl#1."), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("dovetail: cannot write full: No space left on device\n"),
            std::string::npos)
      << run.err;
}

TEST_F(ResultsFrom, SeveralLogsAreTakenTogetherCompressedOrNot) {
  const auto half = all_.begin() + static_cast<ptrdiff_t>(all_.size() / 2);
  write("first.jsonl", {all_.begin(), half});
  write("second.jsonl", {half, all_.end()});
  ASSERT_TRUE(
      replace_text(folder_.path("second.jsonl.gz"), *read_file(folder_.path("second.jsonl")))
          .has_value());
  ASSERT_EQ(tune("whole.jsonl", {"--trials", "50"}).exit_code, 0);
  const ProgramRun run =
      tune("parts.jsonl", {"--trials", "50", "--results-from", "second.jsonl.gz"}, "first.jsonl");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(records("parts.jsonl"), records("whole.jsonl"));
}

TEST_F(ResultsFrom, AreMarkedInTheLogWithTheDeviceThatTheyAreOf) {
  ASSERT_EQ(tune("a.jsonl", {"--trials", "3"}).exit_code, 0);
  const LogHeader header = log("a.jsonl").headers.front();
  EXPECT_EQ(print(header.options.at("results_from")), R"(["all.jsonl"])");
  EXPECT_EQ(header.device.name, "a CPU elsewhere");
  EXPECT_EQ(header.driver, "LLVM of long ago");
}

TEST_F(ResultsFrom, ALogWithoutTheTaskAreRefusedAndNothingIsWritten) {
  const ProgramRun run = run_dovetail(
      {"tune", "gmm:m=2,n=2,k=1", "--results-from", "all.jsonl", "--log", "a.jsonl"}, folder_);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(count_lines(run.err), 1u);
  EXPECT_NE(run.err.find("all.jsonl has no measurement of gmm:m=2,n=2,k=1 on cpu"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(folder_.files(), std::vector<std::string>{"all.jsonl"});
}

TEST_F(ResultsFrom, AFileThatIsNotThereAreRefused) {
  const ProgramRun run = tune("a.jsonl", {}, "missing.jsonl");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(count_lines(run.err), 1u);
  EXPECT_NE(run.err.find("missing.jsonl"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace dovetail
