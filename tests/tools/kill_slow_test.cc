// SPDX-License-Identifier: Apache-2.0
// A campaign that is killed again and again, and resumed: nothing acknowledged is lost, nothing is
// there twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "core/record/log/log.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::StartedProgram;
using testing::TemporaryFolder;

constexpr int kTrials = 800;  // far more than pass before the last kill
constexpr int kKills = 20;

std::vector<std::string> tune_arguments(bool resume) {
  std::vector<std::string> arguments{
      "tune",   "gmm:m=16,n=32,k=8", "--trials", std::to_string(kTrials), "--seed", "11", "--log",
      "k.jsonl"};
  if (resume) arguments.emplace_back("--resume");
  return arguments;
}

// These lines are complete in the file, as anybody may read it at this moment.
std::vector<std::string> complete_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  std::vector<std::string> lines;
  std::string rest = text.str();
  for (size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
    lines.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return lines;
}

void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

class Kill : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the CPU backend";
  }

  // The log must have one campaign, and its trials from 1 to the last, each once.
  void expect_whole() const {
    const Result<Log> log = read_log(folder_.path("k.jsonl"));
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(log->headers.size(), 1u);
    EXPECT_TRUE(log->warnings.empty());
    int64_t trial = 0;
    for (const Record& record : log->records) {
      if (record.kind != RecordKind::trial) continue;
      ++trial;
      EXPECT_EQ(record.trial, trial);
    }
    EXPECT_EQ(trial, kTrials);
  }

  TemporaryFolder folder_;
};

TEST_F(Kill, AtRandomMomentsLosesNoAcknowledgedMeasurement) {
  std::mt19937 rng(5);
  std::uniform_int_distribution<size_t> more_lines(0, 16);
  std::uniform_real_distribution<double> moment(0.0, 0.03);
  std::vector<std::string> acknowledged;
  for (int i = 0; i < kKills; ++i) {
    StartedProgram program(tune_arguments(/*resume=*/true), folder_);
    // Kills come by progress, not by the clock: on any machine each kill meets a campaign at work.
    const size_t wanted = acknowledged.size() + more_lines(rng);
    while (program.is_running() && complete_lines(folder_.path("k.jsonl")).size() < wanted) {
      sleep_seconds(0.002);
    }
    sleep_seconds(moment(rng));
    ASSERT_TRUE(program.is_running()) << "kill " << i + 1 << " came too late";
    program.send(SIGKILL);
    program.wait();
    const std::vector<std::string> now = complete_lines(folder_.path("k.jsonl"));
    // The file still begins with what was in it before, byte for byte.
    ASSERT_GE(now.size(), acknowledged.size());
    for (size_t line = 0; line < acknowledged.size(); ++line) {
      ASSERT_EQ(now[line], acknowledged[line]) << "line " << line + 1 << " after kill " << i + 1;
    }
    acknowledged = now;
  }
  StartedProgram last(tune_arguments(/*resume=*/true), folder_);
  const ProgramRun run = last.wait();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_whole();
}

TEST_F(Kill, ByAnInterruptSavesEverythingAndPrintsHowToContinue) {
  StartedProgram program(tune_arguments(/*resume=*/false), folder_);
  while (program.is_running() && complete_lines(folder_.path("k.jsonl")).size() < 20) {
    sleep_seconds(0.02);
  }
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_NE(run.err.find("dovetail tune gmm:m=16,n=32,k=8 --trials 800 --seed 11 --log k.jsonl "
                         "--resume"),
            std::string::npos)
      << run.err;
  const size_t before = complete_lines(folder_.path("k.jsonl")).size();
  EXPECT_GE(before, 20u);
  EXPECT_LT(before, static_cast<size_t>(kTrials));
  StartedProgram resumed(tune_arguments(/*resume=*/true), folder_);
  EXPECT_EQ(resumed.wait().exit_code, 0);
  expect_whole();
}

// The best of tasks with a common budget are confirmed last, when no trial is left to interrupt.
TEST_F(Kill, ByAnInterruptWhileTheBestAreConfirmedIsNoEnd) {
  folder_.write("two.txt", "a = gmm:m=16,n=32,k=8\nb = gmm:m=32,n=32,k=16\n");
  std::vector<std::string> arguments{"tune", "@two.txt", "--schedule", "gradient", "--total-trials",
                                     "24",   "--log",    "k.jsonl",    "--json"};
  const auto num_confirmed = [&] {
    const std::vector<std::string> lines = complete_lines(folder_.path("k.jsonl"));
    return std::ranges::count_if(lines, [](const std::string& line) {
      return line.find("\"confirmation\"") != std::string::npos;
    });
  };
  StartedProgram program(arguments, folder_);
  while (program.is_running() && num_confirmed() == 0) sleep_seconds(0.002);
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_NE(run.out.find("\"interrupted\": true"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("--resume"), std::string::npos) << run.err;
  const auto before = num_confirmed();
  arguments.emplace_back("--resume");
  StartedProgram resumed(arguments, folder_);
  EXPECT_EQ(resumed.wait().exit_code, 0);
  EXPECT_GT(num_confirmed(), before);
}

TEST_F(Kill, ByASecondInterruptPrintsHowToContinueAllTheSame) {
  StartedProgram program(tune_arguments(/*resume=*/false), folder_);
  while (program.is_running() && complete_lines(folder_.path("k.jsonl")).size() < 20) {
    sleep_seconds(0.02);
  }
  program.send(SIGINT);
  program.send(SIGTERM);  // two of one kind might arrive as one
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_NE(run.err.find("interrupted at once; what the log has is saved; continue with:\n"
                         "dovetail tune gmm:m=16,n=32,k=8 --trials 800 --seed 11 --log k.jsonl "
                         "--resume\n"),
            std::string::npos)
      << run.err;
  StartedProgram resumed(tune_arguments(/*resume=*/true), folder_);
  EXPECT_EQ(resumed.wait().exit_code, 0);
  expect_whole();
}

}  // namespace
}  // namespace dovetail
