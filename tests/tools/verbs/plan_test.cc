// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"
#include "tests/tools/run_program.h"

namespace dovetail::testing {
namespace {

std::string planning_file(const std::string& name) {
  return source_dir().string() + "/tests/core/memory/cases/" + name;
}

TEST(PlanVerb, PrintsThePeakBesideTheBound) {
  const TemporaryFolder folder;
  const ProgramRun run = run_dovetail({"plan", planning_file("simple.csv"), "--json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  EXPECT_EQ(result["peak_bytes"], 216096);
  EXPECT_EQ(result["lower_bound_bytes"], 216096);
  EXPECT_EQ(result["gap"], 0);
  EXPECT_EQ(result["proved"], true);
  EXPECT_EQ(result["algorithm"], "exact");
  EXPECT_EQ(result["valid"], true);
  EXPECT_TRUE(result["seconds"].is_number());
}

TEST(PlanVerb, SaysWhatItProved) {
  const TemporaryFolder folder;
  folder.write("small.csv", "id,lower,upper,size,alignment\na,0,3,5,16\nb,0,9,4,16\n");
  const ProgramRun run = run_dovetail({"plan", "small.csv"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("lower bound  20 bytes, gap 0.00 %, proved: no plan is smaller"),
            std::string::npos)
      << run.out;
  const ProgramRun limited = run_dovetail({"plan", "small.csv", "--capacity", "19"}, folder);
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_NE(
      limited.err.find("too small for any plan, which is proved: 1 too many; expected at least 20"),
      std::string::npos)
      << limited.err;
}

TEST(PlanVerb, WritesAPlanThatIsReadInAgain) {
  const TemporaryFolder folder;
  const std::vector<std::string> pools = {"--pool", "fast:size=200704", "--pool", "slow"};
  std::vector<std::string> arguments = {
      "plan", planning_file("mobilenet_subgraph.csv"), "-o", "plan.csv", "--picture", "plan.svg"};
  arguments.insert(arguments.end(), pools.begin(), pools.end());
  const ProgramRun first = run_dovetail(arguments, folder);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("slow: 1117462 bytes"), std::string::npos) << first.out;
  EXPECT_NE(right(read_file(folder.path("plan.svg"))).find("slow: 1117462 bytes"),
            std::string::npos);
  arguments = {"plan", "plan.csv", "--algorithm", "greedy_by_size", "--json"};
  arguments.insert(arguments.end(), pools.begin(), pools.end());
  const ProgramRun again = run_dovetail(arguments, folder);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["pools"][1]["peak_bytes"], 1117462);
}

TEST(PlanVerb, TakesConflictsInsteadOfLifetimes) {
  const TemporaryFolder folder;
  const ProgramRun run = run_dovetail({"plan", planning_file("fanout.csv"), "--conflicts",
                                       planning_file("fanout.conflicts.csv"), "--json"},
                                      folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["peak_bytes"], 210);
}

TEST(PlanVerb, RefusesBadInputInOneLine) {
  const TemporaryFolder folder;
  folder.write("bad.csv", "id,lower,upper,size\na,0,x,4\n");
  const std::string simple = planning_file("simple.csv");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"plan"}, "plan: 0 files given, expected one FILE.csv"},
      {{"plan", "none.csv"}, "none.csv"},
      {{"plan", "bad.csv", "-o", "plan.csv"}, "bad.csv:2: upper 'x' found"},
      {{"plan", simple, "--algorithm", "best"},
       "unknown algorithm 'best'; expected one of: greedy"},
      {{"plan", simple, "--capacity", "9", "--pool", "a"}, "expected one of them"},
      {{"plan", simple, "--nodes", "-1"}, "--nodes: found '-1', expected a whole number"},
      {{"plan", simple, "--nodes", "1", "--seconds", "1"}, "--seconds and --nodes given"},
      {{"plan", simple, "--pool", "a:size=x"}, "pool a: 'size=x' found; expected size=N"},
      {{"plan", simple, "--capacity", "1000"}, "pool default of 1000 bytes is too small: at time"}};
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = run_dovetail(arguments, folder);
    EXPECT_EQ(run.exit_code, 1) << message;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_EQ(count_lines(run.err), 1u) << run.err;
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"bad.csv"}));
}

}  // namespace
}  // namespace dovetail::testing
