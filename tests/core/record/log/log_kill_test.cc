// SPDX-License-Identifier: Apache-2.0
// A writer that is killed at random moments loses nothing that it acknowledged.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <string>

#include "core/record/log/log_writer.h"
#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::next_trial;
using testing::sample_header;
using testing::sample_trial;
using testing::TemporaryFolder;

// Appends trials for ever and tells each number through `pipe` once its append returned.
[[noreturn]] void append_until_killed(const std::string& path, int pipe) {
  auto opened = open_for_tune(path, LogMode::resume, sample_header());
  if (!opened) _exit(1);
  int64_t trial = next_trial(opened->records, 1, sample_trial(1).task);
  for (;; ++trial) {
    Record record = sample_trial(trial);
    record.trace = std::string(size_t(trial % 7) * 3000, 't');  // lines of several pages, too
    if (!opened->writer.append(record)) _exit(2);
    if (write(pipe, &trial, sizeof trial) != sizeof trial) _exit(3);
  }
}

// Waits until the writer told `wanted` numbers and `delay_us` more, kills it, and gives the last
// number it told, 0 for none. Counted in numbers and not in seconds: a slow machine tests as much.
int64_t last_acknowledged(const std::string& path, int64_t wanted, int64_t delay_us) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    append_until_killed(path, ends[1]);
  }
  close(ends[1]);
  int64_t last = 0;
  int64_t trial = 0;
  for (int64_t told = 0; told < wanted; ++told) {
    if (read(ends[0], &trial, sizeof trial) != sizeof trial) break;
    last = trial;
  }
  usleep(useconds_t(delay_us));
  kill(child, SIGKILL);
  while (read(ends[0], &trial, sizeof trial) == sizeof trial) last = trial;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? last : -1;
}

TEST(KilledWriter, LosesNoAcknowledgedRecordAndRepeatsNone) {
  TemporaryFolder folder;
  const std::string path = folder.path("tune.jsonl");
  std::mt19937 random(20261120);
  int64_t acknowledged = 0;
  int64_t total_wanted = 0;
  for (int round = 0; round < 12; ++round) {
    const int64_t wanted =
        round % 4 == 0 ? 0 : int64_t(random() % 60);  // 0: while it opens the log
    const int64_t last = last_acknowledged(path, wanted, int64_t(random() % 3000));
    total_wanted += wanted;
    ASSERT_GE(last, 0) << "the writer ended by itself in round " << round;
    acknowledged = std::max(acknowledged, last);
    // A resume sees every number from 1 on once, also each one that was acknowledged.
    auto opened = open_for_tune(path, LogMode::resume, sample_header());
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    std::map<int64_t, int> seen;
    for (const Record& record : opened->records) seen[record.trial] += 1;
    const int64_t num_trials = int64_t(seen.size());
    ASSERT_GE(num_trials, acknowledged);
    for (int64_t trial = 1; trial <= num_trials; ++trial) {
      ASSERT_EQ(seen[trial], 1) << "trial " << trial << " in round " << round;
    }
    for (const LogWarning& warning : opened->warnings) EXPECT_TRUE(warning.torn) << warning.text;
    // The next round goes on after what was found; the rest of the file must stay as it is.
    acknowledged = num_trials;
  }
  EXPECT_GE(acknowledged, total_wanted);
  const auto log = read_log(path);
  ASSERT_TRUE(log.has_value());
  EXPECT_TRUE(log->warnings.empty());
  EXPECT_EQ(int64_t(log->records.size()), acknowledged);
}

}  // namespace
}  // namespace dovetail
