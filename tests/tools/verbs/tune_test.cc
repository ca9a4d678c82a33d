// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

// The space has 9 points: the campaign ends before its limit, and would not go on.
TEST(TuneDryRun, OfACampaignThatEndedBeforeItsLimitHasNothingLeft) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the CPU backend";
  const TemporaryFolder folder;
  const auto tune_copy = [&](const char* trials, std::vector<std::string> more) {
    more.insert(more.begin(), {"tune", "Y[i]=X[i]:i=64", "--trials", trials, "--log", "c.jsonl"});
    return run_dovetail(more, folder);
  };
  const ProgramRun first = tune_copy("30", {});
  ASSERT_NE(first.err.find("proposes nothing new after"), std::string::npos) << first.err;
  const auto seconds_left = [&](const char* trials) {
    const ProgramRun dry = tune_copy(trials, {"--resume", "--dry-run", "--json"});
    EXPECT_EQ(dry.exit_code, 0) << dry.err;
    return OrderedJson::parse(dry.out)["seconds"].get<double>();
  };
  EXPECT_EQ(seconds_left("30"), 0);
  EXPECT_GT(seconds_left("40"), 0);
}

}  // namespace
}  // namespace dovetail
