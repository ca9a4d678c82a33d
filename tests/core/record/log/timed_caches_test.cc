// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/timed_caches.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// A log with a campaign of one record for each of the states.
Log log_timed(const std::string& path, const std::vector<Caches>& campaigns) {
  Log log;
  log.path = path;
  for (const Caches caches : campaigns) {
    Record record = testing::sample_trial(1);
    record.campaign = std::ssize(log.records) + 1;
    record.caches = caches;
    log.records.push_back(record);
  }
  return log;
}

TEST(CachesOf, AreThoseOfEveryRecord) {
  const std::vector<Log> cold = {log_timed("a", {Caches::cold, Caches::cold}), log_timed("b", {}),
                                 log_timed("c", {Caches::cold})};
  EXPECT_EQ(caches_of(cold), Caches::cold);
  EXPECT_EQ(caches_of(std::vector<Log>{log_timed("a", {Caches::hot})}), Caches::hot);
}

TEST(CachesOf, AreHotWhereNothingWasTimed) {
  EXPECT_EQ(caches_of(std::vector<Log>{}), Caches::hot);
  EXPECT_EQ(caches_of(std::vector<Log>{log_timed("a", {})}), Caches::hot);
}

TEST(CachesOf, TheErrorNamesTheFirstOfEachKind) {
  const std::vector<Log> logs = {log_timed("a.jsonl", {Caches::hot, Caches::hot}),
                                 log_timed("b.jsonl", {Caches::hot, Caches::network_l3})};
  EXPECT_ERROR(caches_of(logs),
               "log b.jsonl: campaign 2 has times of network:l3 caches, and campaign 1 of a.jsonl "
               "of hot ones, which do not compare: expected times of one kind, or --cache to "
               "choose one");
}

TEST(CachesOf, ACampaignAreAsItsOptionsSay) {
  LogHeader campaign;
  EXPECT_EQ(caches_of(campaign), Caches::hot);
  campaign.options["cache"] = "network:memory";
  EXPECT_EQ(caches_of(campaign), Caches::network_memory);
}

TEST(OfCaches, LeavesTheRecordsOfOneState) {
  const Log log = of_caches(log_timed("a", {Caches::hot, Caches::cold}), Caches::cold);
  ASSERT_EQ(log.records.size(), 1u);
  EXPECT_EQ(log.records[0].campaign, 2);
}

}  // namespace
}  // namespace dovetail
