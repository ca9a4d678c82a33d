// SPDX-License-Identifier: Apache-2.0
// A comparison on this machine's device, killed on the way.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files.h"
#include "core/record/log/log.h"
#include "search/compare/comparison.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

const std::vector<std::string> kCommand = {"compare",      "gmm:m=16,n=32,k=16",
                                           "--strategies", "random@none,evolutionary@roofline",
                                           "--seeds",      "2",
                                           "--trials",     "24",
                                           "-o",           "out"};

std::vector<fs::path> logs_in(const TemporaryFolder& folder) {
  std::vector<fs::path> logs;
  std::error_code absent;
  for (const auto& entry : fs::recursive_directory_iterator(folder.folder() / "out/logs", absent)) {
    if (entry.path().extension() == ".jsonl") logs.push_back(entry.path());
  }
  std::ranges::sort(logs);
  return logs;
}

TEST(CompareLive, GoesOnAfterAKillWhereItWasAndMeasuresNothingTwice) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  testing::StartedProgram program(kCommand, folder);
  for (int i = 0; i < 6000 && logs_in(folder).size() < 2; ++i) ::poll(nullptr, 0, 10);
  program.send(SIGKILL);
  program.wait();
  const ProgramRun run = run_dovetail(kCommand, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::vector<fs::path> logs = logs_in(folder);
  ASSERT_EQ(logs.size(), 4u);
  std::vector<std::string> texts;
  for (const fs::path& path : logs) {
    const Log log = *read_log(path.string());
    EXPECT_EQ(std::ranges::count(log.records, RecordKind::trial, &Record::kind), 24) << path;
    EXPECT_EQ(log.headers.size(), 1u) << path;
    texts.push_back(*read_file(path.string()));
  }
  const std::string first = *read_file(folder.path("out/comparison.json"));
  ASSERT_EQ(run_dovetail(kCommand, folder).exit_code, 0);
  for (size_t k = 0; k < logs.size(); ++k) EXPECT_EQ(*read_file(logs[k].string()), texts[k]);
  EXPECT_EQ(*read_file(folder.path("out/comparison.json")), first);
  const std::string task = logs[0].parent_path().filename().string();
  const Log again = *read_log(folder.path("out/again/" + task + ".jsonl"));
  EXPECT_EQ(again.headers.size(), 1u);
  EXPECT_GE(again.records.size(), 2u);
  const Comparison comparison = *parse_comparison(first);
  EXPECT_EQ(comparison.kind, "live");
  for (const ComparedStrategy& of : comparison.strategies) {
    EXPECT_GT(*of.score, 0);
    EXPECT_LE(of.geomean_best, 1);
  }
}

}  // namespace
}  // namespace dovetail
