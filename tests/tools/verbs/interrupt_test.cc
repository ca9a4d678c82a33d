// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: what is said to be saved, and how to continue. (tests/tools/kill_slow_test.cc has what is
// lost, which is nothing.)
#include "tools/interrupt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::StartedProgram;
using testing::TemporaryFolder;

constexpr const char* kAnew = "confirming the best begins anew";
constexpr const char* kTrial = "\"trace\":";
constexpr const char* kConfirmation = "\"confirmation\"";

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in:\n" << text;
}

void expect_no_part(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << part << " is in:\n" << text;
}

class Interrupt : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the CPU backend";
    folder_.write("two.txt", "a = gmm:m=16,n=32,k=8\nb = gmm:m=32,n=32,k=16\n");
  }

  // Whole lines of a log that have `part`.
  int64_t count_lines_with(const std::string& part, const std::string& log) const {
    std::ifstream file(folder_.path(log), std::ios::binary);
    int64_t count = 0;
    for (std::string line; std::getline(file, line) && !file.eof();)
      count += line.find(part) != std::string::npos;
    return count;
  }

  // A program that runs until its log has so many lines.
  StartedProgram start(const std::vector<std::string>& arguments, const std::string& log,
                       const char* part, int64_t lines) const {
    StartedProgram program(arguments, folder_);
    while (program.is_running() && count_lines_with(part, log) < lines)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return program;
  }

  TemporaryFolder folder_;
};

const std::vector<std::string> kBruteforce{
    "bruteforce", "gmm:m=16,n=32,k=8", "--points", "4000", "-o", "a space"};
constexpr const char* kContinue =
    "continue with:\ndovetail bruteforce gmm:m=16,n=32,k=8 --points 4000 -o 'a space'\n";

TEST_F(Interrupt, OfBruteforceSaysHowManyPointsAreSavedAndHowToContinue) {
  StartedProgram program = start(kBruteforce, "a space/log.jsonl", kTrial, 5);
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  expect_part(run.err, fmt::format("dovetail: interrupted; {} points are saved in a "
                                   "space/log.jsonl; {}",
                                   count_lines_with(kTrial, "a space/log.jsonl"), kContinue));
}

TEST_F(Interrupt, OfBruteforceASecondTimeSaysHowToContinueAllTheSame) {
  StartedProgram program = start(kBruteforce, "a space/log.jsonl", kTrial, 5);
  program.send(SIGINT);
  program.send(SIGTERM);  // two of one kind might arrive as one
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  expect_part(run.err, std::string("dovetail: interrupted at once; what the log has is saved; ") +
                           kContinue);
}

TEST_F(Interrupt, OfBruteforceWhileItConfirmsTheBestSaysThatThisBeginsAnew) {
  const auto arguments = [](const char* folder) {
    return std::vector<std::string>{
        "bruteforce", "gmm:m=16,n=16,k=16", "--points", "200", "--json", "-o", folder};
  };
  const ProgramRun whole = run_dovetail(arguments("whole"), folder_);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const int64_t points = nlohmann::json::parse(whole.out)["points"];
  StartedProgram program = start(arguments("part"), "part/log.jsonl", kTrial, points);
  // The sitting takes a hundred times as long, and the search must have found its end.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  expect_part(run.err, fmt::format("interrupted; {} points are saved in part/log.jsonl; {}; "
                                   "continue with:\n",
                                   points, kAnew));
}

// Nothing is kept yet of the tasks whose turn has not come.
TEST_F(Interrupt, OfTuneSaysWhichRowsAreNotConfirmedAndNothingOfTasksToCome) {
  StartedProgram program =
      start({"tune", "@two.txt", "--trials", "800", "--log", "t.jsonl"}, "t.jsonl", kTrial, 20);
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  expect_part(run.out, "\nnot confirmed, each time is that of one trial: a\n");
  expect_part(run.err, "dovetail: interrupted; everything measured is saved; continue with:\n");
  expect_no_part(run.err, "keep their default traces");
}

// The best of tasks with a common budget are confirmed last, one task after the other.
TEST_F(Interrupt, OfTuneWhileItConfirmsTheBestSaysThatThisBeginsAnew) {
  const std::vector<std::string> arguments{"tune",           "@two.txt", "--schedule", "gradient",
                                           "--total-trials", "24",       "--log",      "t.jsonl"};
  StartedProgram program = start(arguments, "t.jsonl", kConfirmation, 1);
  program.send(SIGINT);
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 130);
  expect_part(run.out, "\nnot confirmed, each time is that of one trial: b\n");
  expect_part(
      run.err,
      fmt::format("interrupted; everything measured is saved; {}; continue with:\n", kAnew));
}

TEST_F(Interrupt, ThatDoesNotComeLeavesNothingUnconfirmed) {
  const ProgramRun run =
      run_dovetail({"tune", "@two.txt", "--trials", "3", "--log", "t.jsonl"}, folder_);
  EXPECT_EQ(run.exit_code, 0);
  expect_no_part(run.out, "not confirmed");
}

}  // namespace
}  // namespace dovetail
