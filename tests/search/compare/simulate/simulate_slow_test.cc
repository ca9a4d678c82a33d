// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/base/parallel.h"
#include "costmodel/cost_models.h"
#include "search/compare/simulate/simulated_space.h"
#include "tests/search/measured_space.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

TEST(SimulateSlow, RepeatsEveryStrategyWithALearningModelAlsoInParallel) {
  const auto space = *simulated_space(testing::reduced_product().measured);
  std::vector<std::string> names;
  for (const StrategyEntry& entry : strategies()) {
    std::string name(entry.name);
    if (entry.is_program)
      name += ":python3 " + (testing::source_dir() / "docs/examples/hill_climb.py").string();
    // make_strategy fails where this build lacks the strategy's library.
    if (make_strategy(*parse_strategy(name), {space->space()})) names.push_back(name);
  }
  ASSERT_GE(names.size(), 6u);
  const std::string model = make_cost_model("xgboost", {}) ? "xgboost" : "roofline";
  std::vector<SimulatedRun> runs(2 * names.size());
  const auto run_one = [&](size_t k) {
    const Result<SimulatedRun> run = simulate(
        *space,
        {.strategy = *parse_strategy(names[k / 2]), .cost_model = model, .seed = 5, .trials = 60});
    ASSERT_TRUE(run) << names[k / 2] << ": " << run.error().message;
    runs[k] = *run;
  };
  for_each_in_parallel(runs.size(), run_one, 4);
  for (size_t k = 0; k < runs.size(); k += 2) {
    EXPECT_EQ(runs[k].evaluations.size(), 60u) << names[k / 2];
    EXPECT_EQ(runs[k].traces, runs[k + 1].traces) << names[k / 2];
  }
}

}  // namespace
}  // namespace dovetail
