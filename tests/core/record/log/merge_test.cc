// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/merge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/record/log/distill.h"
#include "tests/core/record/log_samples.h"
#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::any_log;
using testing::any_part_of_campaign;
using testing::reread;
using testing::sample_header;
using testing::sample_trial;

Log log_with_id(std::vector<Record> records, const std::string& id = "6f1d") {
  Log log;
  log.headers = {sample_header()};
  log.headers.front().id = id;
  log.records = std::move(records);
  return log;
}

TEST(Merge, TakesEachTrialOfACampaignOnce) {
  const Log a = log_with_id({sample_trial(1), sample_trial(2)});
  const Log b = log_with_id({sample_trial(2), sample_trial(3)});
  const Log both = merge({a, b});
  EXPECT_EQ(both.headers, a.headers);
  EXPECT_EQ(both.records, (std::vector{sample_trial(1), sample_trial(2), sample_trial(3)}));
  EXPECT_TRUE(both.warnings.empty());
}

TEST(Merge, NumbersCampaignsByWhenTheyBegan) {
  Log later = log_with_id({sample_trial(1)}, "a");
  later.headers.front().started = "2026-11-21T00:00:00Z";
  const Log earlier = log_with_id({sample_trial(2)}, "b");
  const Log both = merge({later, earlier});
  ASSERT_EQ(both.headers.size(), 2u);
  EXPECT_EQ(both.headers[0].id, "b");
  EXPECT_EQ(both.headers[1].id, "a");
  EXPECT_EQ(both.headers[1].campaign, 2);
  ASSERT_EQ(both.records.size(), 2u);
  EXPECT_EQ(both.records[1].trial, 1);
  EXPECT_EQ(both.records[1].campaign, 2);
}

TEST(Merge, KeepsOneOfTwoTrialsThatClaimToBeTheSameAndSaysSo) {
  Record other = sample_trial(1);
  other.result.seconds *= 2;
  const Log one = merge({log_with_id({sample_trial(1)}), log_with_id({other})});
  const Log two = merge({log_with_id({other}), log_with_id({sample_trial(1)})});
  EXPECT_EQ(one.records.size(), 1u);
  EXPECT_EQ(one.records, two.records);
  ASSERT_EQ(one.warnings.size(), 1u);
  EXPECT_EQ(one.warnings.front().text,
            "campaign 1 (6f1d): 1 trials differ between the logs; of each, one is kept");
}

TEST(Merge, OfADistilledLogAndTheWholeOneIsTheWholeOne) {
  const Log whole = merge({log_with_id({sample_trial(1), sample_trial(2), sample_trial(3)})});
  const Log part = distill(whole);
  ASSERT_LT(part.records.size(), whole.records.size());
  EXPECT_EQ(print(merge({part, whole})), print(whole));
  EXPECT_EQ(merge({part}).headers.front().distilled_from, 3);
}

RC_GTEST_PROP(MergeLaw, DoesNotDependOnTheOrderOfTheLogs, ()) {
  const Log a = any_log(), b = any_log(), c = any_log();
  const std::string all = print(merge({a, b, c}));
  RC_ASSERT(print(merge({c, a, b})) == all);
  RC_ASSERT(print(merge({b, a, c})) == all);
  RC_ASSERT(print(merge({merge({a, b}), c})) == all);
  RC_ASSERT(print(merge({a, merge({b, c})})) == all);
}

RC_GTEST_PROP(MergeLaw, IsIdempotent, ()) {
  const Log a = any_log(), b = any_log();
  const Log once = merge({a, b});
  RC_ASSERT(print(merge({once})) == print(once));
  RC_ASSERT(print(merge({once, once})) == print(once));
  RC_ASSERT(print(merge({once, a})) == print(once));
}

RC_GTEST_PROP(MergeLaw, HoldsWithDistilledLogs, ()) {
  const Log a = any_log(), b = any_log();
  RC_ASSERT(print(merge({distill(a), b})) == print(merge({b, distill(a)})));
  const Log once = merge({distill(a), distill(b)});
  RC_ASSERT(print(merge({once})) == print(once));
  RC_ASSERT(print(merge({once, distill(b)})) == print(once));
}

RC_GTEST_PROP(MergeLaw, LosesNoRecordAndNoUnknownField, ()) {
  const Log a = any_log(), b = any_log();
  const Log merged = reread(merge({a, b}));
  RC_ASSERT(merged.warnings.empty());
  for (const Log* log : {&a, &b}) {
    for (Record record : log->records) {
      const std::string& id = log->header_of(record.campaign)->id;
      const auto header = std::ranges::find(merged.headers, id, &LogHeader::id);
      RC_ASSERT(header != merged.headers.end());
      RC_ASSERT(header->unknown.at("mood") == "\"good\"");
      record.campaign = header->campaign;
      RC_ASSERT(std::ranges::find(merged.records, record) != merged.records.end());
    }
  }
}

RC_GTEST_PROP(MergeLaw, LeavesALogOfOneCampaignAsItWas, ()) {
  const Log log = any_part_of_campaign("a", 1);
  RC_ASSERT(print(merge({log})) == print(log));
}

}  // namespace
}  // namespace dovetail
