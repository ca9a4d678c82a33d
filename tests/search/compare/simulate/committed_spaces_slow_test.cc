// SPDX-License-Identifier: Apache-2.0
//
// The eighteen spaces of results/spaces, which took days to measure: each can be searched, even if
// today's rules derive another space for its task.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "search/candidate.h"
#include "search/compare/score.h"
#include "search/compare/simulate/simulated_space.h"
#include "search/compare/simulate/stored_space.h"
#include "search/strategies/points/points.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::right;

std::vector<fs::path> committed_spaces() {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(testing::source_dir() / "results/spaces"))
    if (entry.path().filename() == "space.json.gz") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

// Walks all points: each decodes to a trace with a result, and each result is met.
void expect_every_point(const MeasuredSpace& measured, const Space& space) {
  std::vector<bool> met(measured.points.size());
  size_t rows = 0, illegal = 0;
  for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at), ++rows) {
    const Trace trace = space.decode(*at);
    const PointResult* result = measured.find(hash(trace));
    ASSERT_NE(result, nullptr) << "row " << rows;
    met[static_cast<size_t>(result - measured.points.data())] = true;
    constexpr size_t kLowered = 500;  // one of so many: what cost models see of it
    if (rows % kLowered == 0) illegal += !materialize(space.spec(), space.target(), trace);
  }
  EXPECT_EQ(std::ranges::count(met, false), 0);
  EXPECT_EQ(rows, measured.points.size() + measured.stored.unmeasured.size());
  EXPECT_EQ(static_cast<double>(rows), space.count());
  EXPECT_EQ(illegal, 0u);
  EXPECT_NE(measured.find(hash(space.default_trace())), nullptr) << "trial 1";
}

TEST(CommittedSpaces, ReplayEveryPoint) {
  const std::vector<fs::path> paths = committed_spaces();
  ASSERT_EQ(paths.size(), 18u);
  for_each_in_parallel(paths.size(), [&](size_t k) {
    SCOPED_TRACE(paths[k]);
    const MeasuredSpace measured = right(read_measured_space(paths[k].string()));
    EXPECT_TRUE(has_stored_space(measured));
    const Result<Space> space = stored_space(measured, right(parse_target(measured.device)));
    ASSERT_TRUE(space) << space.error().message;
    expect_every_point(measured, *space);
  });
}

// A row of results/strategies/second/runs.csv.
struct CommittedRun {
  std::string strategy, space;
  uint64_t seed = 0;
  double best_seconds = 0;
  int64_t trials = 0, rejected = 0;
};

std::vector<CommittedRun> committed_runs(const std::string& strategy, uint64_t seeds) {
  std::vector<CommittedRun> runs;
  std::ifstream file(testing::source_dir() / "results/strategies/second/runs.csv");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() < 7 || cells[0] != strategy) continue;
    CommittedRun run{.strategy = strategy,
                     .space = std::string(cells[1]),
                     .seed = *read_number<uint64_t>(cells[2]),
                     .best_seconds = *read_number<double>(cells[4]),
                     .trials = *read_number<int64_t>(cells[5]),
                     .rejected = *read_number<int64_t>(cells[6])};
    if (run.seed < seeds) runs.push_back(std::move(run));
  }
  return runs;
}

std::optional<double> best_seconds_of(const SimulatedRun& run) {
  std::optional<double> best;
  for (const Evaluation& evaluation : run.evaluations)
    if (evaluation.seconds)
      best = std::min(best.value_or(*evaluation.seconds), *evaluation.seconds);
  return best;
}

void expect_made_again(const SimulatedSpace& space, const CommittedRun& committed) {
  const std::string strategy = committed.strategy.substr(0, committed.strategy.find('@'));
  const Result<SimulatedRun> run = simulate(space, {.strategy = right(parse_strategy(strategy)),
                                                    .seed = committed.seed,
                                                    .trials = committed.trials});
  ASSERT_TRUE(run) << run.error().message;
  constexpr double kDigits = 1e-5;  // as tables have them
  EXPECT_NEAR(best_seconds_of(*run).value_or(0) / committed.best_seconds, 1, kDigits);
  EXPECT_EQ(std::ssize(run->evaluations), committed.trials);
  EXPECT_EQ(run->rejected, committed.rejected);
}

// Random search asks nothing but the space: what it found then it finds today, or the space, its
// points or the tuner's rounds are others. (What strategies with an estimate find moves with it.)
TEST(CommittedScores, AreMadeAgainRunByRun) {
  const fs::path folder = testing::source_dir() / "results/spaces/second";
  std::map<std::string, std::vector<CommittedRun>> by_space;
  constexpr uint64_t kSeeds = 5;
  for (CommittedRun& run : committed_runs("random@none", kSeeds))
    by_space[run.space].push_back(std::move(run));
  ASSERT_EQ(by_space.size(), 9u);
  std::vector<std::string> names;
  for (const auto& [name, runs] : by_space) {
    EXPECT_EQ(runs.size(), kSeeds) << name;
    names.push_back(name);
  }
  for_each_in_parallel(names.size(), [&](size_t k) {
    const std::string path = (folder / names[k] / "space.json.gz").string();
    const auto space = right(simulated_space(right(read_measured_space(path))));
    for (const CommittedRun& run : by_space.at(names[k])) {
      SCOPED_TRACE(run.strategy + " on " + run.space + ", seed " + std::to_string(run.seed));
      expect_made_again(*space, run);
    }
  });
}

}  // namespace
}  // namespace dovetail
