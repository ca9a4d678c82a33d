// SPDX-License-Identifier: Apache-2.0
// The verb pretrain, and comparisons whose agents were trained on other operators.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "campaign/compare/warm_starts.h"
#include "core/base/files.h"
#include "core/record/export/measured_space.h"
#include "search/agent/agent.h"
#include "search/agent/saved_agent.h"
#include "search/compare/arms.h"
#include "search/compare/comparison.h"
#include "tests/search/measured_space.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kProduct = "gmm:m=16,n=32,k=16";
constexpr const char* kOther = "c1d:ci=8,co=16,w=16,k=3";
constexpr int64_t kPoints = 100;  // per space

class Pretrain : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!agent_available()) GTEST_SKIP() << "needs LibTorch";
    write_space("product", kProduct);
    write_space("other", kOther);
  }
  void write_space(const std::string& name, const std::string& spec) {
    static std::map<std::string, MeasuredSpace> measured;  // once for all tests
    const auto [space, is_new] = measured.try_emplace(spec);
    if (is_new) space->second = testing::reduced_measurements(spec, kPoints).measured;
    std::filesystem::create_directories(folder_.folder() / "spaces" / name);
    ASSERT_TRUE(
        write_measured_space(folder_.path("spaces/" + name + "/space.json.gz"), space->second));
  }
  ProgramRun run(const std::vector<std::string>& arguments) {
    return run_dovetail(arguments, folder_);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& problem) {
    const ProgramRun refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(testing::count_lines(refused.err), 1u) << refused.err;
    EXPECT_NE(refused.err.find(problem), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.folder() / "out"));
  }
  TemporaryFolder folder_;
};

TEST_F(Pretrain, WritesTheSameAgentEveryTime) {
  for (const char* out : {"a", "b"}) {
    const ProgramRun made =
        run({"pretrain", "spaces", "--trials", "32", "--seed", "2", "-o", out, "--json"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const nlohmann::json json = nlohmann::json::parse(made.out);
    EXPECT_EQ(json["file"], out);
    ASSERT_EQ(json["tasks"].size(), 2u);
    EXPECT_EQ(json["tasks"][0]["spec"], kOther);
    EXPECT_EQ(json["tasks"][0]["trials"], 32);
    for (const char* share : {"first_share", "last_share"}) {
      EXPECT_GT(json["tasks"][1][share], 0.0);
      EXPECT_LE(json["tasks"][1][share], 1.0);
    }
  }
  EXPECT_EQ(*read_file(folder_.path("a")), *read_file(folder_.path("b")));
}

TEST_F(Pretrain, LeavesOutAnOperator) {
  const ProgramRun made =
      run({"pretrain", "spaces/product/space.json.gz", "spaces/other/space.json.gz", "--without",
           "gmm", "--trials", "32", "--hidden", "8", "-o", "a"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const SavedAgent agent = *parse_saved_agent(*read_file(folder_.path("a")));
  EXPECT_EQ(agent.tasks, std::vector<std::string>{kOther});
  EXPECT_EQ(agent.shape.hidden, 8);
}

TEST_F(Pretrain, RefusesWhatItCannotTrainOn) {
  expect_refused({"pretrain", "-o", "out"}, "no SPACE given");
  expect_refused({"pretrain", "spaces"}, "-o FILE is missing");
  expect_refused({"pretrain", "nowhere", "-o", "out"}, "nowhere");
  expect_refused({"pretrain", ".", "-o", "out"}, "no space.json.gz in . or in its sub-folders");
  expect_refused({"pretrain", "spaces/product/space.json.gz", "--without", "gmm", "-o", "out"},
                 "no space is left without gmm");
  expect_refused({"pretrain", "spaces", "--hidden", "5000", "-o", "out"}, "expected 1 to 4096");
}

TEST_F(Pretrain, ForAComparisonLeavesOutTheOperatorAtHandOnceForAllRepeats) {
  write_space("product_too", "gmm:m=32,n=16,k=16");
  const auto files = *find_spaces(folder_.path("spaces"));
  const SimulatedSpaces spaces = **read_spaces(files, {}, {});
  CompareOptions options;
  options.train_on = folder_.path("spaces");
  options.pretrain_trials = 32;
  const std::vector<Arm> arms =
      *parse_arms("ppo@none,ppo@none@warm,ppo:hidden=8@none@warm", "none");
  const WarmStarts warm = **warm_starts(options, arms, spaces, {});
  EXPECT_EQ(warm.agents.size(), 4u);  // two operators, two widths
  EXPECT_TRUE(warm.models.empty());
  for (const auto& space : spaces) {
    const std::string own = space->measured().task;
    EXPECT_EQ(warm.agent(arms[0], *space), nullptr);
    for (const Arm& arm : {arms[1], arms[2]}) {
      const SavedAgent& agent = *warm.agent(arm, *space);
      EXPECT_FALSE(agent.tasks.empty());
      for (const std::string& task : agent.tasks)
        EXPECT_NE(task.substr(0, 3), own.substr(0, 3)) << own;
    }
  }
  EXPECT_EQ(warm.agent(arms[2], *spaces[0])->shape.hidden, 8);
}

TEST_F(Pretrain, MakesComparisonsThatRepeat) {
  const auto runs_of = [&](const char* out) {
    const ProgramRun run =
        this->run({"compare", "--simulate", "spaces", "--train-on", "spaces", "--pretrain-trials",
                   "32", "--strategies", "ppo:epochs=2@none,ppo:epochs=2@none@warm", "--trials",
                   "20", "--seeds", "2", "--resamples", "20", "-o", out});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    Comparison comparison =
        *parse_comparison(*read_file(folder_.path(std::string(out) + "/comparison.json")));
    for (ComparedStrategy& of : comparison.strategies) {
      for (StrategyOnSpace& on : of.spaces) on.search_seconds = on.model_seconds = {};
    }
    return print_json(comparison);
  };
  EXPECT_EQ(runs_of("a"), runs_of("b"));
}

}  // namespace
}  // namespace dovetail
