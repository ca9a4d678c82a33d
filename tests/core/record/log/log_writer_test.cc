// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/log_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>

#include "core/record/gzip.h"
#include "core/record/log/distill.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::next_trial;
using testing::read_file;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_trial;
using testing::TemporaryFolder;
using testing::write_file;

class LogWriting : public ::testing::Test {
 protected:
  Result<OpenedLog> open(LogMode mode, LogHeader header = sample_header()) const {
    return open_for_tune(path_, mode, std::move(header));
  }
  // Starts a log with trials 1 to `num_trials`.
  void write_log(int64_t num_trials) const {
    auto log = open(LogMode::append);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    for (int64_t trial = 1; trial <= num_trials; ++trial)
      ASSERT_TRUE(log->writer.append(sample_trial(trial)).has_value());
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("tune.jsonl");
};

TEST_F(LogWriting, StartsALogAndNumbersItsCampaign) {
  auto opened = open(LogMode::fresh);
  ASSERT_TRUE(opened.has_value());
  EXPECT_FALSE(opened->resumed);
  EXPECT_TRUE(opened->records.empty());
  EXPECT_EQ(opened->writer.header().campaign, 1);
  ASSERT_TRUE(opened->writer.append(sample_trial(1)).has_value());
  ASSERT_TRUE(opened->writer.append(sample_failure(2)).has_value());
  const auto log = read_log(path_);  // readers do not wait for the writer
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->headers, std::vector{opened->writer.header()});
  EXPECT_EQ(log->records, (std::vector{sample_trial(1), sample_failure(2)}));
}

TEST_F(LogWriting, RefusesAnExistingLogUnlessToldHowToGoOn) {
  write_log(2);
  const std::string before = read_file(path_);
  EXPECT_ERROR(
      open(LogMode::fresh),
      "tune.jsonl exists (1 campaign, 2 records); use --resume to continue it or --append to "
      "add a campaign");
  EXPECT_EQ(read_file(path_), before);
}

// Each of these loses what was measured, unless the writer notices and has it still.
TEST_F(LogWriting, NoticesThatItsFileWasTakenAndWritesWhatItKnowsBesideIt) {
  const std::vector<std::pair<std::string, std::function<void()>>> mishaps = {
      {"was truncated", [&] { std::filesystem::resize_file(path_, 10); }},
      {"was removed", [&] { std::filesystem::remove(path_); }},
      {"was replaced",
       [&] {
         write_file(path_ + ".new", std::string(1 << 16, 'x'));
         std::filesystem::rename(path_ + ".new", path_);
       }},
      {"was overwritten", [&] { write_file(path_, std::string(1 << 16, 'x')); }}};
  for (const auto& [what, mishap] : mishaps) {
    SCOPED_TRACE(what);
    for (const std::string& name : folder_.files()) std::filesystem::remove(folder_.path(name));
    write_log(3);  // by an earlier process
    auto opened = open(LogMode::resume);
    ASSERT_TRUE(opened.has_value());
    ASSERT_TRUE(opened->writer.append(sample_trial(4)).has_value());
    mishap();
    const auto lost = opened->writer.append(sample_trial(5));
    EXPECT_ERROR(lost, what + " while it was in use; everything that was measured is in ");
    EXPECT_ERROR(opened->writer.sync(), what) << "nothing is acknowledged from then on";
    const auto rescued = read_log(path_ + ".rescued");
    ASSERT_TRUE(rescued.has_value()) << rescued.error().message;
    ASSERT_EQ(rescued->records.size(), 5u);
    EXPECT_EQ(rescued->records.back(), sample_trial(5)) << "the one that was to be written, too";
    EXPECT_TRUE(rescued->warnings.empty());
  }
}

TEST_F(LogWriting, NoticesAtTheEndToo) {
  auto opened = open(LogMode::fresh);
  ASSERT_TRUE(opened->writer.append(sample_trial(1)).has_value());
  ASSERT_TRUE(opened->writer.sync().has_value());
  std::filesystem::resize_file(path_, 0);
  write_file(path_ + ".rescued", "somebody's");
  EXPECT_ERROR(opened->writer.sync(),
               "was truncated while it was in use; everything that was "
               "measured is in " +
                   path_ + ".rescued-2");
  EXPECT_EQ(read_file(path_ + ".rescued"), "somebody's");
}

TEST_F(LogWriting, RefusesPipesAndDevicesWithoutWaiting) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const LogMode mode : {LogMode::fresh, LogMode::resume, LogMode::append})
    EXPECT_ERROR(open(mode), "is a device or pipe, expected a plain file");
  EXPECT_ERROR(read_log(path_), "is a device or pipe, expected a plain file");
  EXPECT_ERROR(open_last_campaign(path_), "is a device or pipe, expected a plain file");
}

TEST_F(LogWriting, ResumesWithTheRecordsSoFar) {
  write_log(2);
  auto opened = open(LogMode::resume);
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(opened->resumed);
  EXPECT_EQ(opened->records, (std::vector{sample_trial(1), sample_trial(2)}));
  EXPECT_EQ(next_trial(opened->records, 1, sample_trial(1).task), 3);
  ASSERT_TRUE(opened->writer.append(sample_trial(3)).has_value());
  const auto log = read_log(path_);
  EXPECT_EQ(log->headers.size(), 1u);
  EXPECT_EQ(log->records.size(), 3u);
}

TEST_F(LogWriting, LeavesTheTimeOfALogAloneThatItAddsNothingTo) {
  write_log(2);
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(path_, long_ago);
  const auto before = std::filesystem::last_write_time(path_);
  ASSERT_TRUE(open(LogMode::resume).has_value());
  EXPECT_EQ(std::filesystem::last_write_time(path_), before);
}

TEST_F(LogWriting, ResumesNothingWithOtherOptionsAndNamesThem) {
  write_log(1);
  const std::string before = read_file(path_);
  LogHeader other = sample_header();
  other.options["strategy"] = "ppo";
  other.target = "cpu:threads=2";
  EXPECT_ERROR(open(LogMode::resume, other),
               "--resume continues campaign 1 with its own options, but target is cpu in the log, "
               "cpu:threads=2 now; option strategy is \"random\" in the log, \"ppo\" now; use "
               "--append");
  EXPECT_EQ(read_file(path_), before);
}

TEST_F(LogWriting, ResumesNoDistilledCampaign) {
  write_log(2);
  write_file(path_, print(distill(*read_log(path_))));
  EXPECT_ERROR(open(LogMode::resume),
               "campaign 1 was distilled, so --resume cannot continue it: most of its 2 trials are "
               "gone; resume the log that it was distilled from, or use --append");
}

TEST_F(LogWriting, ResumingWithLargerLimitsSaysThemInAHeaderThatHoldsFromThen) {
  write_log(2);
  LogHeader larger = sample_header();
  larger.options["trials"] = int64_t{500};
  larger.layers = {{"fc", "gmm:m=512,n=512,k=512", 2}};
  const std::string id = read_log(path_)->headers.front().id;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(open(LogMode::resume, larger).has_value());
  const auto log = read_log(path_);
  EXPECT_TRUE(log->warnings.empty());
  EXPECT_EQ(log->num_lines, 4);  // two headers, two trials
  ASSERT_EQ(log->headers.size(), 1u);
  EXPECT_EQ(log->headers.front().id, id);
  EXPECT_EQ(log->headers.front().options, larger.options);
  EXPECT_EQ(log->headers.front().layers, larger.layers);
  EXPECT_EQ(log->records.size(), 2u);
}

// As a campaign of a model, which names tasks and measures the machine while it runs.
TEST_F(LogWriting, AHeaderThatGrewWhileTheCampaignRanIsKeptWhenItIsResumed) {
  LogHeader begun = sample_header();
  begun.layers = {{"fc", "gmm:m=512,n=512,k=512", 2}};
  LogHeader grown = begun;
  {
    auto opened = open(LogMode::fresh, begun);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    grown = opened->writer.header();
    grown.layers.push_back({"convert.x", "gmm:m=1,n=9,k=9"});
    grown.machine = Machine{.peak_gflops = 71.5};
    ASSERT_TRUE(opened->writer.append(grown).has_value());
  }
  const auto resumed = open(LogMode::resume, begun);
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(resumed->writer.header(), grown);
  EXPECT_EQ(read_log(path_)->num_lines, 2) << "nothing new: no other header";
}

TEST_F(LogWriting, ResumingWithoutALogStartsOne) {
  auto opened = open(LogMode::resume);
  ASSERT_TRUE(opened.has_value());
  EXPECT_FALSE(opened->resumed);
  EXPECT_EQ(read_log(path_)->headers.size(), 1u);
}

TEST_F(LogWriting, AppendsCampaignsOfOtherCaches) {
  LogHeader network = sample_header();
  network.options["cache"] = "network:l3";
  write_log(2);
  const auto opened = open(LogMode::append, network);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(opened->writer.header().campaign, 2);
}

TEST_F(LogWriting, RefusesALogOfAnOlderSchema) {
  write_file(path_, testing::source_file("tests/golden/core/record/schema_1.jsonl"));
  for (const LogMode mode : {LogMode::append, LogMode::resume}) {
    EXPECT_ERROR(open(mode),
                 "campaign 1 has schema 1, and this version adds to logs of schema 2: first "
                 "rewrite it with dovetail log migrate " +
                     path_ + " -o FILE");
  }
}

TEST_F(LogWriting, AppendsCampaignsAndResumesTheOneOfTheSameOptions) {
  write_log(2);
  LogHeader second = sample_header();
  second.seed = 9;
  {
    auto opened = open(LogMode::append, second);
    ASSERT_TRUE(opened.has_value());
    EXPECT_EQ(opened->writer.header().campaign, 2);
    ASSERT_TRUE(opened->writer.append(sample_trial(1)).has_value());
  }
  {
    auto opened = open(LogMode::resume);  // seed 0: the first campaign
    ASSERT_TRUE(opened.has_value());
    EXPECT_EQ(opened->writer.header().campaign, 1);
    EXPECT_EQ(opened->records.size(), 2u);
    ASSERT_TRUE(opened->writer.append(sample_trial(3)).has_value());
  }
  auto opened = open(LogMode::resume, second);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->writer.header().campaign, 2);
  ASSERT_EQ(opened->records.size(), 1u);
  EXPECT_EQ(opened->records[0].campaign, 2);
  EXPECT_EQ(read_log(path_)->records.size(), 4u);
}

TEST_F(LogWriting, CutAtAnyByteKeepsEveryWholeLineAndGoesOn) {
  write_log(3);
  const std::string whole = read_file(path_);
  const size_t header_end = whole.find('\n');
  for (size_t size = 0; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    write_file(path_, whole.substr(0, size));
    // A line is whole with its last brace; only its line feed may be missing.
    std::string next(whole.substr(size, 1));
    int64_t whole_lines = std::count(whole.begin(), whole.begin() + int64_t(size), '\n');
    if (size > 0 && next == "\n") ++whole_lines;
    const int64_t trials = std::max<int64_t>(whole_lines - 1, 0);
    {
      auto opened = open(LogMode::resume);
      ASSERT_TRUE(opened.has_value()) << opened.error().message;
      EXPECT_EQ(opened->resumed, size >= header_end);
      ASSERT_EQ(int64_t(opened->records.size()), trials);
      ASSERT_TRUE(opened->writer.append(sample_trial(trials + 1)).has_value());
    }
    const auto log = read_log(path_);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    EXPECT_TRUE(log->warnings.empty());
    ASSERT_EQ(int64_t(log->records.size()), trials + 1);
    for (int64_t trial = 1; trial <= trials + 1; ++trial)
      EXPECT_EQ(log->records[size_t(trial - 1)], sample_trial(trial));
  }
}

TEST_F(LogWriting, TreatsAFileWithoutAnythingAfterItsBrokenHeaderAsNoLogYet) {
  for (const char* bytes : {"", "{\"schema\":1,\"too", "{\"schema\":1}\n", "\n", "hello"}) {
    for (const LogMode mode : {LogMode::fresh, LogMode::resume, LogMode::append}) {
      SCOPED_TRACE(bytes);
      write_file(path_, bytes);
      auto opened = open(mode);
      ASSERT_TRUE(opened.has_value()) << opened.error().message;
      EXPECT_EQ(opened->warnings.size(), std::string(bytes).empty() ? 0u : 1u);
      ASSERT_TRUE(opened->writer.append(sample_trial(1)).has_value());
      EXPECT_EQ(read_log(path_)->records.size(), 1u);
      EXPECT_TRUE(read_log(path_)->warnings.empty());
    }
  }
}

TEST_F(LogWriting, LeavesACompressedLogAlone) {
  write_log(2);
  const std::string compressed = gzip(read_file(path_));
  for (const LogMode mode : {LogMode::fresh, LogMode::resume, LogMode::append}) {
    write_file(path_, compressed);
    EXPECT_ERROR(open(mode),
                 path_ + ": a campaign appends lines to plain text, expected a log that");
    EXPECT_EQ(read_file(path_), compressed);
    EXPECT_ERROR(open_for_tune(path_ + ".gz", mode, sample_header()), "name does not end with .gz");
    EXPECT_FALSE(std::filesystem::exists(path_ + ".gz"));
  }
}

TEST_F(LogWriting, LeavesAFileAloneThatIsNoLog) {
  const std::string notes = "shopping\nmilk\n";
  for (const LogMode mode : {LogMode::fresh, LogMode::resume, LogMode::append}) {
    write_file(path_, notes);
    EXPECT_ERROR(open(mode), "tune.jsonl is not a log: line 1 (shopping)");
    EXPECT_EQ(read_file(path_), notes);
  }
}

TEST_F(LogWriting, KeepsADamagedLineInPlaceAndWarns) {
  write_log(3);
  std::string bytes = read_file(path_);
  const size_t at = bytes.find("\"trial\":2,");
  bytes[at + 8] = '9';
  write_file(path_, bytes);
  auto opened = open(LogMode::resume);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->records, (std::vector{sample_trial(1), sample_trial(3)}));
  ASSERT_EQ(opened->warnings.size(), 1u);
  EXPECT_EQ(opened->warnings[0].line, 3);
  EXPECT_EQ(read_file(path_), bytes);
}

TEST_F(LogWriting, HasOneWriterAtATime) {
  {
    auto first = open(LogMode::fresh);
    ASSERT_TRUE(first.has_value());
    const std::string before = read_file(path_);
    for (const LogMode mode : {LogMode::fresh, LogMode::resume, LogMode::append}) {
      EXPECT_ERROR(open(mode),
                   "tune.jsonl is being written by another process; a log has one writer");
    }
    EXPECT_EQ(read_file(path_), before);
  }
  EXPECT_TRUE(open(LogMode::resume).has_value());
}

TEST_F(LogWriting, SaysInOneLineWhyItCannotStart) {
  EXPECT_ERROR(open_for_tune(folder_.path("none/tune.jsonl"), LogMode::fresh, sample_header()),
               "none does not exist");
  EXPECT_ERROR(open_for_tune(folder_.path(""), LogMode::fresh, sample_header()), "is a folder");
  EXPECT_ERROR(open_for_tune("/dev/full", LogMode::fresh, sample_header()), "is a device or pipe");
  write_log(1);
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  EXPECT_ERROR(open(LogMode::append), "tune.jsonl is read-only");
  EXPECT_ERROR(open(LogMode::resume), "tune.jsonl is read-only");
}

// Runs `body` in a process of its own in which no file can grow over `limit_bytes`; as on a full
// disk, a write then ends early. Gives the process's exit code.
template <typename Body>
int run_with_file_limit(rlim_t limit_bytes, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{limit_bytes, limit_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(LogWriting, OnAFullDiskKeepsWhatItAcknowledgedAndNoHalfLine) {
  const rlim_t limit_bytes = 4096;
  const int acknowledged = run_with_file_limit(limit_bytes, [this] {
    auto opened = open(LogMode::fresh);
    if (!opened) return 100;
    for (int trial = 1;; ++trial) {
      const auto result = opened->writer.append(sample_trial(trial));
      if (result) continue;
      return result.error().message.find("cannot be written") == std::string::npos ? 101
                                                                                   : trial - 1;
    }
  });
  ASSERT_GT(acknowledged, 0);
  ASSERT_LT(acknowledged, 100);
  const auto log = read_log(path_);
  ASSERT_TRUE(log.has_value());
  EXPECT_TRUE(log->warnings.empty());
  EXPECT_EQ(int(log->records.size()), acknowledged);
}

TEST_F(LogWriting, OnAFullDiskLeavesNoFileBehindThatItCouldNotStart) {
  const int code = run_with_file_limit(10, [this] {
    const auto opened = open(LogMode::fresh);
    return opened ? 1 : 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace dovetail
