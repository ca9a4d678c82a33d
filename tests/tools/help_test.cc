// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/files.h"
#include "search/strategies/strategies.h"
#include "tests/support/golden.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

void expect_text(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const TemporaryFolder folder;
  const ProgramRun run = run_dovetail(arguments, folder);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const std::string& part : parts)
    EXPECT_NE(run.out.find(part), std::string::npos) << part << " is missing in:\n" << run.out;
}

TEST(Help, OfTheProgramListsItsVerbs) {
  expect_text({"--help"}, {"tune", "replay", "show", "doctor", "log ACTION", "distill",
                           "bruteforce", "exit codes"});
}

TEST(Help, OfTheProgramNamesModelsAndWhatToDoWithThem) {
  expect_text({"help"}, {"run MODEL|SPEC", "A WORKLOAD is a model", "dovetail build MODEL.onnx"});
}

TEST(Help, OfAVerbIsPrintedByTheVerbHelp) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_dovetail({"help", "tune"}, folder).out, run_dovetail({"tune", "-h"}, folder).out);
}

// The lists are those of the tables that decide what is accepted.
TEST(Help, ListsWhatOptionsTake) {
  std::vector<std::string> parts;
  for (const StrategyEntry& entry : strategies()) parts.emplace_back(entry.name);
  expect_text({"tune", "--completion-values", "--strategy"}, parts);
  expect_text({"tune", "--help"}, {"hot, cold, network, network:l3, network:memory",
                                   "cpu:arch=NAME, opencl, opencl:PLATFORM", ", reference"});
  const TemporaryFolder folder;
  EXPECT_EQ(run_dovetail({"run", "--completion-values", "--target"}, folder).out,
            "cpu\ncpu:threads=\ncpu:arch=\nopencl\nopencl:\nopencl:profile=\nptx\nptx:\nptx:"
            "profile=\nreference\n");
  EXPECT_EQ(run_dovetail({"tune", "--completion-values", "--log"}, folder).out, "") << "any file";
}

TEST(Help, OfEachVerbListsItsOptions) {
  expect_text({"tune", "--help"},
              {"--target",   "--trials",     "1000",         "--seconds",    "--patience",
               "--strategy", "--variant",    "--cost-model", "--warm-start", "--save-model",
               "--agent",    "--save-agent", "--seed",       "--log",        "--resume",
               "--append",   "--no-default", "--cache",      "--experiment", "--json"});
  expect_text({"replay", "--help"}, {"--target", "--log", "--strict", "--check", "--json"});
  expect_text({"bench", "--help"}, {"--target", "--log", "--against", "onednn", "--json"});
  expect_text({"show", "-h"}, {"--what", "--target", "--trace", "space"});
  expect_text({"pretrain", "--help"}, {"SPACE", "-o", "--trials", "--without", "--hidden"});
  expect_text({"plan", "--help"}, {"FILE.csv", "--conflicts", "--algorithm", "exact", "--capacity",
                                   "--pool", "--seconds", "--nodes", "-o", "--picture", "--json"});
  expect_text({"doctor", "--help"}, {"--profile", "--json"});
  expect_text({"log", "--help"}, {"best", "the fastest record of each task", "--task", "--json"});
}

TEST(Help, OfEachVerbHasAnExample) {
  for (const char* verb : {"tune", "replay", "bench", "run", "show", "log", "bruteforce",
                           "pretrain", "compare", "report", "plan", "doctor"})
    expect_text({verb, "--help"}, {fmt::format("\n  dovetail {} ", verb)});
}

TEST(Help, OfBruteforceSaysHowItGoesOn) {
  expect_text({"bruteforce", "--help"}, {"After Ctrl-C or kill -9 the same command goes on."});
}

TEST(Help, OfTuneListsEveryStrategyWithItsOptions) {
  for (const StrategyEntry& entry : strategies()) {
    std::vector<std::string> parts{"\n  " + std::string(entry.name) + " ",
                                   std::string(entry.meaning)};
    for (const OptionHelp& option : entry.describe_options()) {
      parts.push_back(option.name + "=" + option.otherwise + " ");
      parts.push_back(option.meaning);
    }
    expect_text({"tune", "--help"}, parts);
  }
}

TEST(Help, OfEveryScriptIsWhatItBeginsWith) {
  for (const std::string name :
       {"quickstart", "test", "lint", "make-models", "install-dependencies"}) {
    const std::string script = (testing::source_dir() / "scripts" / name).string();
    const TemporaryFolder folder;
    const std::string command = "'" + script + "' --help > '" + folder.path("out.txt") + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
    const std::string text = *read_file(folder.path("out.txt"));
    EXPECT_NE(text.find("  scripts/" + name), std::string::npos) << text;
    EXPECT_EQ(text.find("set -"), std::string::npos) << text;
  }
}

TEST(Version, IsPrinted) { expect_text({"--version"}, {"dovetail "}); }

}  // namespace
}  // namespace dovetail
