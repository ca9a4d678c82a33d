// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/record/export/measured_space.h"
#include "core/record/gzip.h"
#include "search/compare/comparison.h"
#include "tests/search/measured_space.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

class CompareSimulated : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.folder() / "spaces/product");
    ASSERT_TRUE(write_measured_space(folder_.path("spaces/product/space.json.gz"),
                                     testing::reduced_product().measured));
  }
  ProgramRun compare(std::vector<std::string> more) {
    std::vector<std::string> arguments{"compare", "--simulate", "spaces",      "--trials", "30",
                                       "--seeds", "4",          "--resamples", "50"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }
  TemporaryFolder folder_;
};

TEST_F(CompareSimulated, WritesTheSameComparisonEveryTime) {
  for (const char* out : {"a", "b"}) {
    const ProgramRun run = compare(
        {"--strategies", "random@none,evolutionary:population=16@roofline", "-o", out, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, *read_file(folder_.path(std::string(out) + "/comparison.json")));
  }
  const auto without_times = [&](const char* out) {
    Comparison comparison =
        *parse_comparison(*read_file(folder_.path(std::string(out) + "/comparison.json")));
    for (ComparedStrategy& of : comparison.strategies) {
      for (StrategyOnSpace& on : of.spaces) on.search_seconds = on.model_seconds = {};
    }
    return print_json(comparison);
  };
  EXPECT_EQ(without_times("a"), without_times("b"));
  const nlohmann::json json = nlohmann::json::parse(without_times("a"));
  EXPECT_EQ(json["strategies"][1]["name"], "evolutionary:population=16@roofline");
  for (const char* field : {"score", "score_low", "score_high", "trials_to_95", "geomean_best"})
    EXPECT_TRUE(json["strategies"][0][field].is_number()) << field;
  for (const char* file : {"scores.csv", "curves.csv", "runs.csv", "scores.tex", "pairs.tex"})
    EXPECT_TRUE(std::filesystem::exists(folder_.folder() / "a" / file)) << file;
}

// A list of strategies in a file is the line of a command; what the command line says is stronger.
TEST_F(CompareSimulated, TakesItsOptionsFromAnExperimentFile) {
  folder_.write("e.json", R"({"simulate": "spaces", "strategies": ["random@none", "a=descent@none"],
                              "seeds": 9, "resamples": 50, "trials": 30, "no_default": true})");
  const ProgramRun run = run_dovetail(
      {"compare", "--experiment=e.json", "--seeds", "2", "-o", "out", "--json"}, folder_);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json json = nlohmann::json::parse(run.out);
  ASSERT_EQ(json["strategies"].size(), 2);
  EXPECT_EQ(json["strategies"][1]["name"], "a");
  EXPECT_EQ(json["seeds"], (std::vector<int>{0, 1}));
  EXPECT_EQ(json["default_first"], false);
  folder_.write("typo.json", R"({"strategys": "random@none"})");
  const ProgramRun typo =
      run_dovetail({"compare", "--experiment", "typo.json", "-o", "out"}, folder_);
  EXPECT_EQ(typo.exit_code, 1);
  EXPECT_NE(typo.err.find("unknown option --strategys"), std::string::npos) << typo.err;
}

// A strategy goes by the name that it is given, the default trace's part is said beside the score,
// and replicates of one space are not taken for pairs.
TEST_F(CompareSimulated, MakesAPageThatAReaderBelieves) {
  ASSERT_EQ(compare({"--strategies", "luck=random@none,descent@none", "-o", "out"}).exit_code, 0);
  ASSERT_EQ(run_dovetail({"report", "out", "-o", "page.html"}, folder_).exit_code, 0);
  const auto text = [&](const std::string& name) { return *read_file(folder_.path(name)); };
  for (const char* file : {"page.html", "out/scores.csv", "out/runs.csv", "out/scores.tex"})
    EXPECT_NE(text(file).find("luck"), std::string::npos) << file;
  EXPECT_EQ(text("out/runs.csv").find("random@none"), std::string::npos);
  EXPECT_NE(text("page.html").find("Every run begins with the default trace"), std::string::npos);
  EXPECT_NE(text("page.html").find("Limits: a space here is a reduced one"), std::string::npos);
  EXPECT_NE(
      text("out/pairs.csv").find(",p_over_spaces,p_over_spaces_holm,rank_biserial_over_runs\n"),
      std::string::npos);
}

// A table that leaves the page takes along what its numbers are of.
TEST_F(CompareSimulated, SaysUnderTablesForPapersWhatWasRun) {
  ASSERT_EQ(compare({"--strategies", "random@none,descent@none", "-o", "out"}).exit_code, 0);
  const auto tex = [&](const std::string& name) { return *read_file(folder_.path("out/" + name)); };
  for (const char* file : {"scores.tex", "pairs.tex", "spaces.tex"}) {
    EXPECT_NE(tex(file).find("4 runs of each strategy (seeds 0 to 3) on 1 space ("),
              std::string::npos)
        << tex(file);
    EXPECT_NE(tex(file).find("Budget of a run: 30 trials. Trial 1 is the default trace."),
              std::string::npos)
        << tex(file);
    EXPECT_TRUE(tex(file).ends_with("\\\\\n\\end{tabular}\n")) << tex(file);
  }
  EXPECT_NE(tex("pairs.tex").find("& $p$, Wilcoxon over spaces & the same, Holm &"),
            std::string::npos);
}

// The ends of an interval would be the lesser and the greater of two runs.
TEST_F(CompareSimulated, GivesNoIntervalOfTwoRuns) {
  const std::vector<std::string> arguments{"compare",     "--simulate", "spaces", "--strategies",
                                           "random@none", "--trials",   "30",     "--resamples",
                                           "20",          "-o",         "out",    "--seeds"};
  const auto with = [&](const char* seeds) {
    std::vector<std::string> all = arguments;
    all.emplace_back(seeds);
    return run_dovetail(all, folder_).out;
  };
  EXPECT_NE(with("2").find("too few runs     -"), std::string::npos) << with("2");
  EXPECT_NE(read_file(folder_.path("out/scores.tex"))->find("& too few runs &"), std::string::npos);
  EXPECT_EQ(with("4").find("too few runs"), std::string::npos);
}

// A table that a paper takes from the page says what was run, too.
TEST_F(CompareSimulated, HasTheSameTablesForPapersInTheFiguresOfAReport) {
  ASSERT_EQ(compare({"--strategies", "random@none,descent@none", "-o", "out"}).exit_code, 0);
  const ProgramRun report =
      run_dovetail({"report", "out", "-o", "page.html", "--figures", "figures"}, folder_);
  ASSERT_EQ(report.exit_code, 0) << report.err;
  for (const auto& [figure, table] :
       {std::pair("scores-table", "scores"), {"pairs", "pairs"}, {"scores-by-space", "spaces"}}) {
    const std::string drawn = *read_file(folder_.path(fmt::format("figures/{}.tex", figure)));
    const std::string written = *read_file(folder_.path(fmt::format("out/{}.tex", table)));
    EXPECT_TRUE(drawn.starts_with("% ")) << drawn;
    EXPECT_EQ(drawn.substr(drawn.find('\n') + 1), written);
  }
}

TEST_F(CompareSimulated, GoesOnWhereItWasInterruptedAndKeepsEveryTrajectory) {
  const std::vector<std::string> strategies = {"--strategies", "random@none,descent@none", "-o"};
  const auto run_into = [&](const char* out) {
    std::vector<std::string> arguments = strategies;
    arguments.emplace_back(out);
    return compare(arguments);
  };
  ASSERT_EQ(run_into("whole").exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.folder() / "whole/trajectories.jsonl"));
  const std::string text = *read_text(folder_.path("whole/trajectories.jsonl.gz"));
  EXPECT_EQ(testing::count_lines(text), 8u);  // two strategies, four seeds
  const auto run = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(run["evaluations"].size(), 30u);
  EXPECT_EQ(nlohmann::json::parse(run["asked"].get<std::string>())["trials"], 30);
  // Five runs were done, and the sixth was being written. One of them is told apart from what the
  // program would find now.
  size_t end = 0;
  for (int line = 0; line < 5; ++line) end = text.find('\n', end) + 1;
  std::string saved = text.substr(0, end + 40);
  const std::string before = "\"rejected\":";
  saved.insert(saved.find(before) + before.size(), "77");
  std::filesystem::create_directories(folder_.folder() / "pieces");
  folder_.write("pieces/trajectories.jsonl", saved);
  const ProgramRun second = run_into("pieces");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_NE(second.err.find("5 runs are in pieces/trajectories.jsonl"), std::string::npos);
  const auto scores = [&](const std::string& out) {
    return *read_file(folder_.path(out + "/scores.csv"));
  };
  EXPECT_EQ(scores("pieces"), scores("whole"));
  EXPECT_NE(read_file(folder_.path("pieces/runs.csv"))->find(",77"), std::string::npos);
  folder_.write("pieces/trajectories.jsonl", "not ours\n");
  EXPECT_EQ(run_into("pieces").err,
            "dovetail: pieces/trajectories.jsonl line 1: not a run of compare\n");
}

// As bruteforce writes it, and as a folder of several.
TEST_F(CompareSimulated, TakesAFileItsFolderAndAFolderOfSuch) {
  const auto rows_of = [&](const std::string& simulate, const std::string& out) {
    const ProgramRun run =
        run_dovetail({"compare", "--simulate", simulate, "--strategies", "random@none", "--trials",
                      "30", "--seeds", "2", "--resamples", "20", "-o", out},
                     folder_);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return *read_file(folder_.path(out + "/scores.csv"));
  };
  const std::string rows = rows_of("spaces", "a");
  EXPECT_NE(rows.find(",product,"), std::string::npos) << rows;
  EXPECT_EQ(rows_of("spaces/product", "b"), rows);
  EXPECT_EQ(rows_of("spaces/product/", "c"), rows);
  EXPECT_EQ(rows_of("spaces/product/space.json.gz", "d"), rows);
}

// Minutes of runs must not come first.
TEST_F(CompareSimulated, RefusesTooFewTrialsBeforeItRuns) {
  const auto error_of = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", "--simulate", "spaces/product", "--strategies",
                               "random@none", "--seeds", "2", "-o", "out"});
    const ProgramRun run = run_dovetail(more, folder_);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_FALSE(std::filesystem::exists(folder_.folder() / "out"));
    return run.err;
  };
  EXPECT_NE(error_of({}).find("compare: product: 1 % of "), std::string::npos) << error_of({});
  const std::string error = error_of({"--trials", "2"});
  const std::string before = "compare: product: --trials is 2, too few for a score; give --trials ";
  ASSERT_NE(error.find(before), std::string::npos) << error;
  const std::string enough = error.substr(error.find(before) + before.size());
  const ProgramRun run = run_dovetail(
      {"compare", "--simulate", "spaces/product", "--strategies", "random@none", "--seeds", "2",
       "--resamples", "20", "--trials", enough.substr(0, enough.find(' ')), "-o", "out"},
      folder_);
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(CompareSimulated, RefusesWhatItCannotCompare) {
  const auto expect = [&](std::vector<std::string> more, const std::string& problem) {
    more.insert(more.end(), {"-o", "out"});
    const ProgramRun run = compare(more);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(testing::count_lines(run.err), 1u) << run.err;
    EXPECT_NE(run.err.find(problem), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.folder() / "out"));
  };
  expect({"--strategies", "luck"}, "unknown strategy 'luck'");
  expect({"--strategies", "random@none@loop_only=nhwo"}, "variants are for live comparisons");
  expect({"--strategies", "random@none", "gmm:m=8,n=8,k=8"}, "name none");
  std::filesystem::remove_all(folder_.folder() / "spaces/product");
  expect({"--strategies", "random@none"}, "no space.json.gz in spaces or in its sub-folders");
}

}  // namespace
}  // namespace dovetail
