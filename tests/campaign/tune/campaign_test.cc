// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/campaign.h"

#include <gtest/gtest.h>

#include "core/backends/backends.h"
#include "tests/campaign/one_record_log.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

#if DOVETAIL_HAVE_LLVM

namespace dovetail::testing {
namespace {

// No task has a trial then, and which is the first depends on the schedule.
TEST(Campaign, InterruptedBeforeItsFirstTrialIsInterruptedByAnySchedule) {
  const TemporaryFolder folder;
  const Target target = right(resolve_target("cpu"));
  folder.write("a.jsonl", one_record_log(target, "gmm:m=8,n=8,k=8", ""));
  folder.write("b.jsonl", one_record_log(target, "gmm:m=8,n=8,k=16", ""));
  for (const char* schedule : {"in_turn", "gradient"}) {
    TuneOptions options;
    options.workloads = {"gmm:m=8,n=8,k=8", "gmm:m=8,n=8,k=16"};
    options.results_from = {folder.path("a.jsonl"), folder.path("b.jsonl")};
    options.schedule = schedule;
    if (options.schedule == "gradient") options.total_trials = 8;
    options.log = folder.path(std::string(schedule) + ".jsonl");
    Listener listener;
    listener.interrupted = [] { return true; };
    std::vector<std::string> notes;
    listener.note = [&](const std::string& line) { notes.push_back(line); };
    const CampaignResult result = right(run_campaign(right(plan_campaign(options)), listener));
    EXPECT_TRUE(result.interrupted) << schedule;
    EXPECT_EQ(notes, std::vector<std::string>()) << schedule;
  }
}

}  // namespace
}  // namespace dovetail::testing

#endif
