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

}  // namespace
}  // namespace dovetail
