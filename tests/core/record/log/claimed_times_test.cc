// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/claimed_times.h"

#include <gtest/gtest.h>

#include "core/record/log/best_record.h"
#include "core/record/log/log.h"
#include "core/record/statistics/log_stats.h"
#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::sample_header;
using testing::sample_trial;

Record claims(const std::string& task, double seconds, const std::string& target = "cpu") {
  Record record = sample_trial(1);
  record.task = task;
  record.target = target;
  record.trace = "loops C:\n";
  record.result.seconds = seconds;
  record.result.samples = {seconds, seconds};
  return record;
}

std::string reason(const Record& record, const LogHeader& header = sample_header()) {
  return ClaimedTimes().why_impossible(record, header);
}

constexpr const char* kProduct = "gmm:m=512,n=512,k=512";  // 134 million multiply-adds

TEST(ClaimedTimes, AreBelievedWhereAProcessorCouldBeThatFast) {
  EXPECT_EQ(reason(claims(kProduct, 1e-3)), "");
  EXPECT_EQ(reason(claims(kProduct, 1e-4, "cpu:threads=8")), "") << "eight threads";
  EXPECT_EQ(reason(claims("C[i]=A[i]+B[i]:i=1000", 2e-8)), "");
  EXPECT_EQ(reason(claims("what another version knows", 1e-8)), "");
}

TEST(ClaimedTimes, AreNotBelievedBeyondThat) {
  EXPECT_NE(reason(claims(kProduct, 1e-4)).find("no cpu with 1 thread takes less than 0.0003226"),
            std::string::npos)
      << reason(claims(kProduct, 1e-4));
  EXPECT_NE(reason(claims(kProduct, 1e-5, "cpu:threads=8")), "");
  EXPECT_NE(reason(claims("C[i]=A[i]+B[i]:i=1000000", 2e-8)), "") << "4 MB are written";
  for (const double seconds : {0.0, -1.0, 1e-12, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(reason(claims("C[i]=A[i]+B[i]:i=10", seconds)), "") << seconds;
}

TEST(ClaimedTimes, AreNoFasterThanTheirFastestSample) {
  Record record = claims(kProduct, 1e-3);
  record.result.samples = {2e-3, 3e-3};
  EXPECT_EQ(reason(record), "claims 0.001 s, and its fastest sample is 0.002 s");
}

// Winograd's algorithm leaves three of four multiply-adds of a 3x3 window out.
TEST(ClaimedTimes, CountWhatAnAlgorithmExecutes) {
  Record record = claims("c2d:ci=256,co=256,h=28,w=28,k=3", 5e-4);
  EXPECT_NE(reason(record), "") << "direct";
  record.trace = "algorithm: winograd(tile=4)\nloops C:\n";
  EXPECT_EQ(reason(record), "");
  record.trace = {};  // a confirmation: its trial has the trace
  EXPECT_EQ(reason(record), "");
  record.result.seconds = record.result.samples[0] = 1e-5;
  EXPECT_NE(reason(record), "");
}

TEST(ClaimedTimes, OfDevicesNeedTheirComputeUnits) {
  LogHeader header = sample_header();
  header.device.more["execution"] = "work_groups";
  EXPECT_EQ(reason(claims(kProduct, 1e-8, "opencl"), header), "") << "nobody knows";
  header.device.more["compute_units"] = "132";
  EXPECT_NE(reason(claims(kProduct, 1e-8, "opencl"), header)
                .find("no device with 132 compute units takes less"),
            std::string::npos);
  EXPECT_EQ(reason(claims(kProduct, 5e-6, "opencl"), header), "");
}

// 4096 x 4096 x 4096 on an H200's tensor cores, and by nobody.
TEST(ClaimedTimes, OfHalvesAreThoseOfUnitsForMatrices) {
  LogHeader header = sample_header();
  header.device.more["execution"] = "work_groups";
  header.device.more["compute_units"] = "132";
  const std::string spec = "gmm:m=4096,n=4096,k=4096";
  EXPECT_NE(reason(claims(spec, 2.4e-4, "ptx"), header), "") << "in f32";
  EXPECT_EQ(reason(claims(spec + ",dtype=f16", 2.4e-4, "ptx"), header), "");
  EXPECT_NE(reason(claims(spec + ",dtype=f16", 1e-5, "ptx"), header), "");
  EXPECT_EQ(reason(claims(std::string(kProduct) + ",dtype=f16", 1e-4)), "") << "AMX, one thread";
}

TEST(ClaimedTimes, OfALogFromBeforeItsExecutionWasAFact) {
  LogHeader header = sample_header();
  header.device.more.erase("execution");
  EXPECT_EQ(reason(claims(kProduct, 1e-5), header), "") << "it may have 256 threads";
  EXPECT_NE(reason(claims(kProduct, 1e-8), header), "");
  header.device.more["max_work_group_size"] = "1";
  EXPECT_NE(reason(claims(kProduct, 1e-5), header), "");
}

class ClaimedTimesOfALog : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text = print(sample_header()) + "\n";
    for (const auto& [trial, seconds] : {std::pair(1, 2e-3), {2, 1e-9}, {3, 1.5e-3}}) {
      Record record = claims(kProduct, seconds);
      record.trial = trial;
      record.is_default = trial == 1;
      text += print(record) + "\n";
    }
    testing::write_file(path_, text);
  }

  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_.path("tune.jsonl");
};

TEST_F(ClaimedTimesOfALog, AreNeverTheBest) {
  const Result<Log> log = read_log(path_);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->records.size(), 3u);
  EXPECT_EQ(log->records[1].result.status, Status::impossible);
  EXPECT_EQ(best_trials(log->records).front().record.trial, 3);
  ASSERT_EQ(log->warnings.size(), 1u);
  EXPECT_EQ(log->warnings[0].line, 3);
  EXPECT_NE(log->warnings[0].text.find("trial 2 of gmm:m=512,n=512,k=512 claims 1e-09 s, and no "),
            std::string::npos)
      << log->warnings[0].text;
  const Result<LogCheck> check = check_log(path_);
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->sound());
  // Logs written from this one keep the status `impossible`, and need no warning.
  testing::write_file(path_, print(*log));
  EXPECT_EQ(read_log(path_)->records, log->records);
  EXPECT_TRUE(read_log(path_)->warnings.empty());
}

}  // namespace
}  // namespace dovetail
