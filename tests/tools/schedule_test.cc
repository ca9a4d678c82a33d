// SPDX-License-Identifier: Apache-2.0
// Campaigns whose tasks share a budget, answered by a log: no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "core/backends/backends.h"
#include "core/record/log/log.h"
#include "search/strategies/points/points.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kLight = "gmm:m=1,n=1,k=8";  // some hundred traces each
constexpr const char* kHeavy = "gmm:m=1,n=2,k=8";

class Schedule : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    LogHeader header;
    header.tool = "test";
    header.target = "cpu";
    header.device = {.name = "a CPU elsewhere", .family = "x86_64/16", .more = {}};
    std::string text = print(header) + "\n";
    // The light task is as fast as it gets; the heavy one has a wide range.
    add_records(kLight, [](uint64_t number) { return 1e-6 + 1e-12 * double(number % 1000); }, text);
    add_records(kHeavy, [](uint64_t number) { return 1e-6 * double(10 + number % 1000); }, text);
    folder_.write("all.jsonl", text);
    folder_.write("two.txt", std::string("light = ") + kLight + "\nheavy = " + kHeavy +
                                 "\nheavy_again = " + kHeavy + "\n");
  }

  template <typename Seconds>
  static void add_records(const char* spec, Seconds seconds_of, std::string& text) {
    const Space space = *build_space(*parse_operator(spec), *resolve_target("cpu"));
    std::set<uint64_t> seen;
    for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at)) {
      const Trace trace = space.decode(*at);
      if (!seen.insert(hash(trace)).second) continue;
      Record record;
      record.trial = static_cast<int64_t>(seen.size());
      record.task = spec;
      record.target = "cpu";
      record.trace = print(trace);
      record.strategy = "exhaustive";
      record.result.status = Status::ok;
      record.result.seconds = seconds_of(hash(trace));
      record.result.samples = {record.result.seconds};
      record.result.times = {.build_seconds = 0.5, .run_seconds = 0.3, .check_seconds = 0.1};
      text += print(record) + "\n";
    }
  }

  ProgramRun tune(const std::string& log, std::vector<std::string> more) {
    std::vector<std::string> arguments{"tune",  "@two.txt", "--results-from", "all.jsonl",
                                       "--log", log,        "--schedule",     "gradient"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }

  std::vector<Record> records(const std::string& name) {
    std::vector<Record> found = read_log(folder_.path(name))->records;
    for (Record& record : found)
      record.result.times.search_seconds = record.result.times.model_seconds = 0;
    return found;
  }

  // Each task's traces in the order of its trials; how tasks interleave may differ.
  std::map<std::string, std::vector<std::string>> traces(const std::string& name) {
    std::map<std::string, std::vector<std::string>> found;
    for (const Record& record : records(name))
      if (record.kind == RecordKind::trial) found[record.task].push_back(record.trace.text());
    return found;
  }

  std::map<std::string, int64_t> trials(const std::string& name) {
    std::map<std::string, int64_t> counts;
    for (const Record& record : records(name))
      counts[record.task] += record.kind == RecordKind::trial;
    return counts;
  }

  TemporaryFolder folder_;
};

TEST_F(Schedule, ByGradientSpendsTheBudgetWhereTheTimeFalls) {
  const ProgramRun run = tune("a.jsonl", {"--total-trials", "256"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::map<std::string, int64_t> counts = trials("a.jsonl");
  EXPECT_EQ(counts.at(kLight) + counts.at(kHeavy), 256);
  EXPECT_GE(counts.at(kLight), 1);
  EXPECT_GT(counts.at(kHeavy), 2 * counts.at(kLight));
}

TEST_F(Schedule, ByGradientRepeatsToTheLastRecordResumed) {
  ASSERT_EQ(tune("a.jsonl", {"--total-trials", "200"}).exit_code, 0);
  const std::vector<Record> whole = records("a.jsonl");
  const Log log = *read_log(folder_.path("a.jsonl"));
  for (const size_t lines : {70u, 190u}) {
    std::string text = print(log.headers.front()) + "\n";
    for (size_t i = 0; i < lines; ++i) text += print(log.records[i]) + "\n";
    folder_.write("c.jsonl", text);
    const ProgramRun run = tune("c.jsonl", {"--total-trials", "200", "--resume"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(whole, records("c.jsonl")) << lines;
  }
}

TEST_F(Schedule, ByGradientStopsEachTaskByItsOwnPatienceAndAllByTheSeconds) {
  ASSERT_EQ(tune("a.jsonl", {"--total-trials", "100000", "--patience", "40"}).exit_code, 0);
  const std::map<std::string, int64_t> patient = trials("a.jsonl");
  EXPECT_LT(patient.at(kLight) + patient.at(kHeavy), 600);
  ASSERT_EQ(tune("b.jsonl", {"--total-seconds", "100"}).exit_code, 0);  // 0.9 s each
  const std::map<std::string, int64_t> timed = trials("b.jsonl");
  EXPECT_GE(timed.at(kLight) + timed.at(kHeavy), 85);  // some is kept for confirming
  EXPECT_LE(timed.at(kLight) + timed.at(kHeavy), 111);
  EXPECT_LE(records("b.jsonl").back().elapsed_seconds, 100.9);
}

TEST_F(Schedule, ALargerLimitOfSecondsGoesOnWhereTheLogEnds) {
  ASSERT_EQ(tune("a.jsonl", {"--total-seconds", "60"}).exit_code, 0);
  const std::map<std::string, std::vector<std::string>> before = traces("a.jsonl");
  ASSERT_EQ(tune("a.jsonl", {"--total-seconds", "90", "--resume"}).exit_code, 0);
  // A best and its default, 0.9 s each, are measured in any case.
  EXPECT_LE(records("a.jsonl").back().elapsed_seconds, 92);
  size_t more = 0;
  for (const auto& [task, now] : traces("a.jsonl")) {
    const std::vector<std::string>& earlier = before.at(task);
    ASSERT_GE(now.size(), earlier.size());
    EXPECT_TRUE(std::ranges::equal(earlier, std::span(now).first(earlier.size()))) << task;
    more += now.size() - earlier.size();
  }
  EXPECT_GE(more, 20u);  // 0.9 s each
}

TEST_F(Schedule, ASmallBudgetServesEveryTaskFirst) {
  const ProgramRun two = tune("a.jsonl", {"--total-trials", "2"});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(trials("a.jsonl"), (std::map<std::string, int64_t>{{kHeavy, 1}, {kLight, 1}}));
  EXPECT_NE(two.err.find("all 2/2"), std::string::npos) << two.err;
  EXPECT_NE(two.err.find("2 of 2 tasks have one trial only: light, heavy"), std::string::npos)
      << two.err;
  const ProgramRun one = tune("b.jsonl", {"--total-trials", "1"});
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_EQ(one.err, "dovetail: --total-trials 1 is less than a trial for each of the 2 tasks\n");
  const ProgramRun late = tune("c.jsonl", {"--total-seconds", "0.5"});  // one trial takes 0.9 s
  EXPECT_EQ(late.exit_code, 0) << late.err;
  EXPECT_NE(late.err.find("1 of 2 tasks have no trial, and keep their default traces: heavy\n"),
            std::string::npos)
      << late.err;
}

TEST_F(Schedule, IsExtendedByALargerBudgetMoreTrialsAndMoreTasks) {
  ASSERT_EQ(tune("whole.jsonl", {"--total-trials", "200"}).exit_code, 0);
  for (const char* trials : {"30", "75", "200"}) {
    const ProgramRun run = tune("a.jsonl", {"--total-trials", trials, "--resume"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(traces("a.jsonl"), traces("whole.jsonl"));
  EXPECT_EQ(read_log(folder_.path("a.jsonl"))->headers.size(), 1u);
  const auto in_turn = [&](const std::string& log, std::vector<std::string> more) {
    std::vector<std::string> arguments{"tune", "--results-from", "all.jsonl", "--log", log};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_dovetail(arguments, folder_);
    EXPECT_EQ(run.exit_code, 0) << run.err;
  };
  in_turn("both.jsonl", {kLight, kHeavy, "--trials", "37"});
  in_turn("b.jsonl", {kLight, "--trials", "20"});
  in_turn("b.jsonl", {kLight, kHeavy, "--trials", "37", "--resume"});
  EXPECT_EQ(traces("b.jsonl"), traces("both.jsonl"));
  const ProgramRun fewer = run_dovetail(
      {"tune", kLight, "--results-from", "all.jsonl", "--log", "b.jsonl", "--resume"}, folder_);
  EXPECT_EQ(fewer.exit_code, 1);
  EXPECT_NE(fewer.err.find("is in the log, and not among those now"), std::string::npos);
}

}  // namespace
}  // namespace dovetail
