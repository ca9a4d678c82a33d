// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_head.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

const std::string kConv = "gmm:m=8,n=8,k=8", kFc = "gmm:m=16,n=8,k=8";

Record record_of(RecordKind kind) {
  Record record;
  record.kind = kind;
  record.trial = 1;
  record.task = kConv;
  record.target = "cpu";
  record.result.status = Status::ok;
  record.result.seconds = 1e-6;
  return record;
}

// A campaign of two tasks of which one has a trial.
Log log_of(const Options& options) {
  Log log;
  log.headers.emplace_back();
  log.headers[0].options = options;
  log.headers[0].options["tasks"] = std::vector<std::string>{kConv, kFc};
  log.records = {record_of(RecordKind::trial), record_of(RecordKind::confirmation)};
  return log;
}

std::string state_of(const Log& log) {
  return std::string(print(campaign_heads(std::vector{log}).front().state));
}

TEST(LogHead, ACampaignThatItsLimitInSecondsEndedWasOutOfTime) {
  Log log = log_of({{"total_seconds", 1.0}});
  EXPECT_EQ(state_of(log), "unfinished") << "it was interrupted: no machine was measured";
  log.headers[0].machine = Machine{.peak_gflops = 100};
  EXPECT_EQ(state_of(log), "out_of_time");
  log.records.pop_back();
  EXPECT_EQ(state_of(log), "out_of_time") << "nor was there time to confirm the best";
  log.headers[0].machine.reset();
  EXPECT_EQ(state_of(log), "unfinished") << "it went on, and was interrupted";
}

TEST(LogHead, ACampaignWithoutALimitInSecondsIsNeverOutOfTime) {
  Log log = log_of({{"trials", int64_t{1}}});
  log.headers[0].machine = Machine{.peak_gflops = 100};
  EXPECT_EQ(state_of(log), "unfinished");
  log.headers[0].options["tasks"] = std::vector<std::string>{kConv};
  EXPECT_EQ(state_of(log), "finished");
}

}  // namespace
}  // namespace dovetail
