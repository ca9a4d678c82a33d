// SPDX-License-Identifier: Apache-2.0
// The verb report, as a user runs it on the folder of a comparison.
#include <gtest/gtest.h>

#include <filesystem>

#include "search/compare/comparison.h"
#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using testing::holds;
using testing::kHostile;
using testing::ProgramRun;
using testing::read_xml;

class ComparisonPage : public testing::ReportVerb {};

Series falling(double from, double to) {
  return {{1, 10, 100}, {from, (from + to) / 2, to}, {from, to, to}, {from, from, from}};
}

Comparison small_comparison() {
  Comparison comparison;
  comparison.kind = "simulated";
  comparison.score_is = "way_to_optimum";
  comparison.seeds = {0, 1};
  comparison.confidence = 0.95;
  comparison.spaces = {{.name = "c2d_1",
                        .spec = "c2d:ci=8,co=8,h=8,w=8,k=3",
                        .points = 20000,
                        .valid = 20000,
                        .optimum_seconds = 1e-6,
                        .trials = 100},
                       {.name = "gmm_1",
                        .spec = "gmm:m=8,n=8,k=8",
                        .points = 20000,
                        .valid = 20000,
                        .optimum_seconds = 2e-6,
                        .trials = 100}};
  for (const std::string name : {"random", kHostile}) {
    ComparedStrategy strategy;
    strategy.name = name;
    if (name == "random") strategy.score = 0.25;
    strategy.score_curve = {{0.5, 1}, {0.1, 0.25}, {0.05, 0.2}, {0.15, 0.3}};
    strategy.quality = {{.share = 0.95, .runs = 4, .reached = 1}};
    for (const ComparedSpace& space : comparison.spaces) {
      StrategyOnSpace& on = strategy.spaces.emplace_back();
      on.space = space.name;
      on.over_trials = on.over_seconds = falling(4e-6, space.optimum_seconds);
    }
    comparison.strategies.push_back(std::move(strategy));
  }
  comparison.pairs = {{.a = "random", .b = kHostile, .n = 4, .p = 0.03, .p_holm = 0.03}};
  comparison.ranks = {4.0, 0.04, 1.4, {1, 2}, {{0, 1}}};
  return comparison;
}

TEST_F(ComparisonPage, IsAPageWithEverySpaceAndStrategy) {
  std::filesystem::create_directory(folder_.folder() / "out");
  folder_.write("out/comparison.json", print_json(small_comparison()));
  const ProgramRun run = report({"out", "-o", "page.html", "--figures", "figures"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto xml = read_xml(text("page.html"));
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("script"), 1) << "the page's own";
  for (const char* what :
       {"c2d_1", "gmm_1", kHostile, "critical difference 1.40", "stands for their median"}) {
    EXPECT_TRUE(holds(xml, what)) << what;
  }
  EXPECT_TRUE(text("figures/scores.csv").starts_with("label,value,low,high\nrandom,0.25,"));
  EXPECT_EQ(read_xml(text("figures/reached.svg")).error, "");
  // All 51 targets of both spaces are met by the last trial.
  EXPECT_NE(text("figures/reached.csv").find("random,100,100,,"), std::string::npos);
}

TEST_F(ComparisonPage, NamesNoWinnerWhereNoPairDiffers) {
  Comparison comparison = small_comparison();
  std::filesystem::create_directory(folder_.folder() / "out");
  const auto page = [&] {
    folder_.write("out/comparison.json", print_json(comparison));
    EXPECT_EQ(report({"out", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
    return read_xml(text("page.html"));
  };
  EXPECT_TRUE(holds(page(), "highest score: random"));
  comparison.pairs[0].p_holm = 0.2;
  const auto xml = page();
  EXPECT_FALSE(holds(xml, "highest score"));
  EXPECT_TRUE(holds(xml, "no pair of strategies differs"));
  for (const char* table : {"quality", "compared-spaces", "scores-table"})
    EXPECT_NE(text(std::string("figures/") + table + ".tex").find("footnotesize"),
              std::string::npos)
        << table;
}

TEST_F(ComparisonPage, RefusesAFolderWithoutAComparison) {
  std::filesystem::create_directory(folder_.folder() / "empty");
  std::filesystem::create_directory(folder_.folder() / "wrong");
  folder_.write("wrong/comparison.json", R"({"version":1})");
  write("a.jsonl", {});
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"empty", "-o", "p.html"}, "empty has no comparison.json"},
      {{"wrong", "-o", "p.html"}, "wrong/comparison.json: field kind: missing; expected a string"},
      {{"wrong", "a.jsonl", "-o", "p.html"}, "wrong is a folder, expected it alone"},
      {{"wrong", "-o", "p.html", "--follow"}, "--follow is of logs"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = report(arguments);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("p.html")));
  }
}

}  // namespace
}  // namespace dovetail
