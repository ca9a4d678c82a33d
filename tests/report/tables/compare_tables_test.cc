// SPDX-License-Identifier: Apache-2.0
#include "report/tables/compare_tables.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  Comparison comparison;
  for (const std::string& name : names) comparison.strategies.emplace_back().name = name;
  std::vector<std::string> shown;
  for (const ComparedStrategy& of : with_short_names(comparison).strategies)
    shown.push_back(of.name);
  return shown;
}

TEST(NamesOfStrategies, OfProgramsLackTheFoldersOfPaths) {
  EXPECT_EQ(short_names({"random@none", "exec:python3 a/b/ga.py --data=/c/d.json --n 2@none"}),
            (std::vector<std::string>{"random@none", "python3 ga.py --data=d.json --n 2@none"}));
}

TEST(NamesOfStrategies, AreWholeWhereShortOnesWouldBeTheSame) {
  const std::vector<std::string> names = {"exec:a/ga.py", "exec:b/ga.py"};
  EXPECT_EQ(short_names(names), names);
}

TEST(NoteOfTables, HasPluralsOfMoreThanOne) {
  Comparison comparison;
  comparison.seeds = {3};
  comparison.spaces.emplace_back().name = "gmm";
  comparison.spaces.back().trials = 1;
  EXPECT_EQ(runs_note(comparison),
            "1 run of each strategy (seed 3) on 1 space (gmm). Budget of a run: 1 trial. "
            "Trial 1 is the default trace.");
}

Comparison with_budget(int64_t trials, std::optional<int64_t> scored_trials) {
  Comparison all;
  all.cutoff_end = 0.95;
  all.spaces = {{.name = "gmm", .trials = trials, .scored_trials = scored_trials}};
  return all;
}

TEST(CompareTables, SayWhereAScoreEndsBeforeTheBudget) {
  EXPECT_EQ(scored_part(with_budget(200, 99)),
            "it ends where random search is expected to have come 95 % of the way: after 99 of 200 "
            "trials on gmm");
  EXPECT_EQ(scored_part(with_budget(99, 99)), "");
  EXPECT_EQ(scored_part(with_budget(99, std::nullopt)), "") << "its budget is in trials";
}

TEST(CompareTables, SayWhichRunsEndedEarly) {
  Comparison all;
  all.spaces = {{.name = "gmm", .trials = 32}, {.name = "dep", .trials = 20}};
  all.strategies.resize(2);
  all.strategies[0].name = "random";
  all.strategies[0].spaces = {{.trials = {32, 32}}, {.trials = {20, 20}}};
  all.strategies[1].name = "exec:python3 a/half.py";
  all.strategies[1].spaces = {{.trials = {32, 16}}, {.trials = {1, 20}}};
  EXPECT_EQ(early_ends(all),
            "runs that proposed nothing more before their budget was spent, and keep their best: "
            "python3 half.py 2 of 4");
  all.strategies.pop_back();
  EXPECT_EQ(early_ends(all), "");
}

TEST(CompareTables, NameLowerBounds) {
  const QualityReached known{.share = 0.95, .runs = 5, .reached = 4, .trials = 7, .seconds = 1};
  QualityReached censored = known;
  censored.trials.reset();
  ComparedStrategy of;
  of.spaces.resize(2);
  of.spaces[0].quality = of.spaces[1].quality = {known};
  EXPECT_FALSE(is_lower_bound(of, 0.95, &QualityReached::trials));
  of.spaces[1].quality = {censored};
  EXPECT_TRUE(is_lower_bound(of, 0.95, &QualityReached::trials));
  EXPECT_FALSE(is_lower_bound(of, 0.95, &QualityReached::seconds));
  EXPECT_FALSE(is_lower_bound(of, 0.99, &QualityReached::trials));
}

}  // namespace
}  // namespace dovetail
