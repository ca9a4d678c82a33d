// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

LogHeader campaign_of(int64_t number, Caches caches) {
  LogHeader header;
  header.campaign = number;
  if (caches == Caches::cold) header.options["cold"] = true;
  return header;
}

Log campaigns_log(const std::string& path, const std::vector<Caches>& campaigns) {
  Log log;
  log.path = path;
  for (const Caches caches : campaigns) {
    log.headers.push_back(campaign_of(int64_t(log.headers.size()) + 1, caches));
  }
  return log;
}

TEST(CachesOf, AreThoseOfEveryCampaign) {
  const std::vector<Log> cold = {campaigns_log("a", {Caches::cold, Caches::cold}),
                                 campaigns_log("b", {Caches::cold})};
  EXPECT_EQ(caches_of(cold), Caches::cold);
  const std::vector<Log> hot = {campaigns_log("a", {Caches::hot})};
  EXPECT_EQ(caches_of(hot), Caches::hot);
}

TEST(CachesOf, AreHotWhereNothingWasTimed) {
  EXPECT_EQ(caches_of(std::vector<Log>{}), Caches::hot);
  EXPECT_EQ(caches_of(std::vector<Log>{campaigns_log("a", {})}), Caches::hot);
}

TEST(CachesOf, TheErrorNamesTheFirstOfEachKind) {
  const std::vector<Log> logs = {campaigns_log("a.jsonl", {Caches::hot, Caches::hot}),
                                 campaigns_log("b.jsonl", {Caches::hot, Caches::cold})};
  EXPECT_ERROR(caches_of(logs),
               "log b.jsonl: campaign 2 is timed with cold caches, and campaign 1 of a.jsonl with "
               "hot ones; their times do not compare: expected logs of one kind");
}

}  // namespace
}  // namespace dovetail
