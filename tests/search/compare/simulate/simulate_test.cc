// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/simulated_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/base/parallel.h"
#include "core/base/statistics.h"
#include "search/compare/score.h"
#include "tests/search/measured_space.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::made_up_measurements;
using testing::reduced_product;
using testing::ReducedMeasurements;
using testing::small_space;

const SimulatedSpace& measured_product() {
  static const auto kSpace = [] {
    ReducedMeasurements made = reduced_product();
    return std::move(*simulated_space(std::move(made.measured)));
  }();
  return *kSpace;
}

SimulatedRun simulated_run(const SimulatedSpace& space, const std::string& strategy, uint64_t seed,
                           int64_t trials, const std::string& cost_model = "none") {
  const Result<SimulatedRun> run = simulate(space, {.strategy = *parse_strategy(strategy),
                                                    .cost_model = cost_model,
                                                    .seed = seed,
                                                    .trials = trials});
  EXPECT_TRUE(run) << run.error().message;
  return *run;
}

// As in the file, so that nothing else is needed to make it again.
TEST(SimulatedSpace, IsMadeAgainFromWhatItsFileSays) {
  const ReducedMeasurements made = reduced_product();
  const MeasuredSpace read = *parse_t4(print_t4(made.measured));
  const auto space = simulated_space(read);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ((*space)->space().count(), made.space.count());
  EXPECT_EQ((*space)->measured().points, made.measured.points);
}

TEST(SimulatedSpace, IsRefusedWhenAPointIsNotOfTheSpaceMadeAgain) {
  MeasuredSpace measured = reduced_product().measured;
  measured.points[7].trace_hash ^= 1;
  const size_t size = measured.points.size();
  ASSERT_TRUE(measured.index());
  EXPECT_ERROR(simulated_space(measured),
               "1 of " + std::to_string(size) +
                   " points measured on cpu are not in the reduced space of gmm:");
}

TEST(SimulatedSpace, IsRefusedWhereItsRuleOrItsDeviceIsNotKnown) {
  MeasuredSpace measured = reduced_product().measured;
  measured.space = "whole";
  EXPECT_ERROR(simulated_space(measured), "rule 'whole', expected reduced");
  measured.device.clear();
  EXPECT_ERROR(simulated_space(measured), "does not say what its device cpu is like");
}

TEST(SimulatedSpace, HasTheFeaturesOfTheLoweredPrograms) {
  const SimulatedSpace& space = measured_product();
  const Trace trace = space.space().default_trace();
  const Candidate lowered = *materialize(space.space().spec(), space.space().target(), trace);
  for (int time = 0; time < 2; ++time) {
    const Candidate candidate = *space.candidate(trace, /*with_features=*/true);
    ASSERT_NE(candidate.known, nullptr);
    EXPECT_EQ(candidate.known->features, extract_features(lowered.program, space.space().target()));
  }
  EXPECT_EQ(space.candidate(trace, /*with_features=*/false)->known, nullptr);
}

TEST(SimulatedSpace, HasNoCandidateOfATraceThatWasNotMeasured) {
  const Trace trace = *parse_trace("loops: split(loop=m, factor=3)\n");
  EXPECT_ERROR(measured_product().candidate(trace, true), "the trace is not in the measured space");
}

// Its processes were starting on a busy machine.
TEST(SimulatedSpace, BoundsTheCostOfTheDefaultThatAllRunsBeginWith) {
  ReducedMeasurements made = reduced_product();
  const uint64_t key = hash(made.space.default_trace());
  std::vector<double> costs;
  for (PointResult& point : made.measured.points) {
    if (point.trace_hash == key) point.build_seconds = 10000;
    costs.push_back(point.build_seconds + point.check_seconds + point.run_seconds);
  }
  const auto space = simulated_space(std::move(made.measured));
  ASSERT_TRUE(space) << space.error().message;
  const SimulatedRun run = simulated_run(**space, "random", 1, 20);
  EXPECT_EQ(run.traces[0], key);
  EXPECT_NEAR(run.evaluations[0].cost_seconds, median(costs), 1e-12);
  EXPECT_NEAR(run.evaluations[1].cost_seconds,
              0.01 + 100 * (*space)->measured().find(run.traces[1])->seconds, 1e-12);
}

TEST(Simulate, StopsWithinARun) {
  const SimulatedSpace& space = measured_product();
  int asked = 0;
  const SimulatedRun run =
      *simulate(space, {.strategy = *parse_strategy("random"), .trials = 300, .interrupted = [&] {
                          return ++asked > 20;
                        }});
  EXPECT_EQ(run.stop, StopReason::interrupted);
  EXPECT_LT(run.evaluations.size(), 20u);
}

TEST(Simulate, AnswersWhatWasMeasuredAtWhatItCost) {
  const SimulatedSpace& space = measured_product();
  const SimulatedRun run = simulated_run(space, "random", 1, 100);
  ASSERT_EQ(run.evaluations.size(), 100u);
  EXPECT_EQ(run.traces[0], hash(space.space().default_trace()));
  size_t failed = 0;
  for (size_t k = 0; k < run.traces.size(); ++k) {
    const PointResult& point = *space.measured().find(run.traces[k]);
    const Evaluation& evaluation = run.evaluations[k];
    EXPECT_EQ(evaluation.seconds.has_value(), point.status == Status::ok);
    EXPECT_EQ(evaluation.seconds.value_or(0), point.seconds);
    EXPECT_NEAR(evaluation.cost_seconds, 0.01 + 100 * point.seconds, 1e-12);
    failed += point.status != Status::ok;
  }
  EXPECT_GT(failed, 0u);
}

TEST(Simulate, TakesNoBudgetForWhatWasThereBeforeAndEndsWithTheSpace) {
  const Space space = small_space({.with_illegal = true});
  const auto simulated = *simulated_space(space, made_up_measurements(space));
  const SimulatedRun run = simulated_run(*simulated, "random", 1, 1000);
  EXPECT_EQ(run.stop, StopReason::exhausted);
  EXPECT_EQ(run.evaluations.size(), simulated->measured().points.size());
  EXPECT_EQ(std::set<uint64_t>(run.traces.begin(), run.traces.end()).size(), run.traces.size());
  EXPECT_GT(run.rejected, 0);  // the illegal ones
}

TEST(Simulate, RepeatsARunAlsoInParallel) {
  const std::vector<std::string> names = {"random", "annealing", "evolutionary", "descent"};
  std::vector<SimulatedRun> runs(3 * names.size());
  const auto run_one = [&](size_t k) {
    runs[k] = simulated_run(measured_product(), names[k / 3], k % 3 == 2 ? 6 : 5, 40, "roofline");
  };
  for_each_in_parallel(runs.size(), run_one, 4);
  for (size_t k = 0; k < runs.size(); k += 3) {
    EXPECT_EQ(runs[k].traces, runs[k + 1].traces) << names[k / 3];
    EXPECT_NE(runs[k].traces, runs[k + 2].traces) << names[k / 3] << " with another seed";
  }
}

TEST(Simulate, GivesRunsThatHaveAScore) {
  std::vector<StrategyRun> runs;
  for (uint64_t seed = 0; seed < 20; ++seed)
    runs.push_back(simulated_run(measured_product(), "random", seed, 60).evaluations);
  const auto score =
      score_on_space(measured_product().statistics(), runs, {.budget = {.max_evaluations = 40}});
  ASSERT_TRUE(score) << score.error().message;
  EXPECT_LT(score->score(), 1);
}

TEST(Simulate, SaysWhichStrategyIsNone) {
  EXPECT_ERROR(
      simulate(measured_product(), {.strategy = {.name = "luck", .options = {}}, .trials = 10}),
      "unknown strategy 'luck'");
}

}  // namespace
}  // namespace dovetail
