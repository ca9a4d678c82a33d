// SPDX-License-Identifier: Apache-2.0
#include "search/scheduler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace dovetail {
namespace {

// How a task's best time falls with its slices: floor + drop * decay^t, which is convex.
struct Curve {
  ScheduledTask task;
  double floor_seconds = 1;
  double drop_seconds = 1;
  double decay = 0.5;
  double at(size_t slices) const {
    return floor_seconds + drop_seconds * std::pow(decay, static_cast<double>(slices));
  }
};

std::vector<ScheduledTask> tasks_of(const std::vector<Curve>& curves) {
  std::vector<ScheduledTask> tasks;
  for (const Curve& curve : curves) tasks.push_back(curve.task);
  return tasks;
}

double network_seconds(const std::vector<Curve>& curves, const std::vector<size_t>& slices) {
  double sum = 0;
  for (size_t i = 0; i < curves.size(); ++i) sum += curves[i].task.weight * curves[i].at(slices[i]);
  return sum;
}

std::vector<size_t> by_gradient(const std::vector<Curve>& curves, size_t budget) {
  TaskScheduler scheduler(tasks_of(curves));
  std::vector<size_t> slices(curves.size(), 0);
  for (size_t k = 0; k < budget; ++k) {
    const size_t task = *scheduler.next();
    scheduler.report(task, {.best_seconds = curves[task].at(++slices[task])}, /*finished=*/false);
  }
  return slices;
}

std::vector<size_t> in_turn(const std::vector<Curve>& curves, size_t budget) {
  std::vector<size_t> slices(curves.size(), 0);
  for (size_t k = 0; k < budget; ++k) ++slices[k % curves.size()];
  return slices;
}

// The tasks differ in what is to be gained, as those of a network do.
Curve any_curve(const std::string& kind) {
  const double scale = std::pow(10.0, *rc::gen::inRange(0, 100) / 100.0);
  return {.task = {.weight = static_cast<double>(*rc::gen::inRange(1, 20)),
                   .nominal_flops = scale,
                   .kind = kind},
          .floor_seconds = scale,
          .drop_seconds = scale * *rc::gen::inRange(0, 100) / 20.0,
          .decay = *rc::gen::inRange(50, 95) / 100.0};
}

std::vector<Curve> any_curves(size_t most, size_t kinds) {
  std::vector<Curve> curves;
  const size_t count = *rc::gen::inRange<size_t>(2, most + 1);
  for (size_t i = 0; i < count; ++i) curves.push_back(any_curve(std::to_string(i % kinds)));
  return curves;
}

TEST(TaskScheduler, GivesEachTaskOneSliceFirst) {
  TaskScheduler scheduler({{.weight = 1}, {.weight = 100}, {.weight = 10}});
  for (const size_t expected : {0u, 1u, 2u}) {
    EXPECT_EQ(scheduler.next(), expected);
    scheduler.report(expected, {.best_seconds = 1.0}, false);
  }
  EXPECT_EQ(scheduler.next(), 1u);  // the one that the network runs most
}

TEST(TaskScheduler, FollowsTheTaskThatStillFalls) {
  TaskScheduler scheduler({{.kind = "a"}, {.kind = "b"}});
  double falling = 8;
  for (int slice = 0; slice < 4; ++slice) {
    scheduler.report(0, {.best_seconds = 1.0}, false);
    scheduler.report(1, {.best_seconds = falling /= 1.5}, false);
  }
  EXPECT_EQ(scheduler.next(), 1u);
}

TEST(TaskScheduler, ExpectsOfATaskWhatOthersOfItsKindReached) {
  TaskScheduler scheduler({{.nominal_flops = 1, .kind = "c2d"},
                           {.nominal_flops = 1, .kind = "c2d"},
                           {.nominal_flops = 1, .kind = "gmm"}});
  for (int slice = 0; slice < 10; ++slice) {
    scheduler.report(0, {.best_seconds = 1.0}, false);
    scheduler.report(1, {.best_seconds = 10.0}, false);  // ten times as slow as its like
    scheduler.report(2, {.best_seconds = 10.0}, false);  // as slow, and has no like
  }
  EXPECT_EQ(scheduler.next(), 1u);
}

TEST(TaskScheduler, DoesNotWaitInVainForATaskThatCannotBeAsFastAsItsLike) {
  TaskScheduler scheduler({{.kind = "c2d"}, {.kind = "c2d"}, {.kind = "gmm"}});
  for (int slice = 0; slice < 1000; ++slice) {
    const size_t task = *scheduler.next();
    scheduler.report(task, {.best_seconds = task == 1 ? 100.0 : 1.0}, false);
  }
  EXPECT_GE(scheduler.slices(0), 5u);
  EXPECT_GE(scheduler.slices(2), 5u);
  EXPECT_GE(scheduler.slices(1), 500u);  // it has most to gain all the same
}

// A network of one heavy task that is as fast as it gets and many light ones that are not, each
// served in slices of a campaign's sizes: 1, four times 16, then 64 trials.
struct Served {
  std::vector<int64_t> trials = {};
  std::vector<size_t> slices_of_heaviest_when_touched = {};  // for the tasks with more than a slice
};

Served serve(const std::vector<Curve>& curves, int64_t budget) {
  TaskScheduler scheduler(tasks_of(curves));
  Served served{.trials = std::vector<int64_t>(curves.size(), 0)};
  for (int64_t left = budget; left > 0;) {
    const size_t task = *scheduler.next();
    const size_t had = scheduler.slices(task);
    const int64_t trials = std::min<int64_t>(left, had == 0 ? 1 : had <= 4 ? 16 : 64);
    if (had == 1 && task != 0)
      served.slices_of_heaviest_when_touched.push_back(scheduler.slices(0));
    left -= trials;
    served.trials[task] += trials;
    const double best_seconds = curves[task].at(static_cast<size_t>(served.trials[task]));
    scheduler.report(task, {.trials = trials, .best_seconds = best_seconds}, /*finished=*/false);
  }
  return served;
}

std::vector<Curve> flat_and_many(double heavy_seconds, size_t light_tasks) {
  std::vector<Curve> curves = {
      {.task = {.kind = "heavy"}, .floor_seconds = heavy_seconds, .drop_seconds = 0}};
  for (size_t i = 0; i < light_tasks; ++i)
    curves.push_back({.task = {.kind = std::to_string(i)},
                      .floor_seconds = 2,
                      .drop_seconds = 1,
                      .decay = 0.98});
  return curves;
}

TEST(TaskScheduler, LeavesAFlatTaskForThoseThatFall) {
  const Served served = serve(flat_and_many(/*heavy_seconds=*/20, /*light_tasks=*/37), 2400);
  for (size_t task = 1; task < served.trials.size(); ++task)
    EXPECT_GT(served.trials[task], 16) << task;
  EXPECT_LT(served.trials[0], 2400 / 8);
}

TEST(TaskScheduler, ServesUntouchedTasksBeforeTheTenthSliceOfAFlatOne) {
  // With 700 trials for 38 tasks, none stays with its default trace.
  const Served small = serve(flat_and_many(/*heavy_seconds=*/20, /*light_tasks=*/37), 700);
  EXPECT_EQ(small.slices_of_heaviest_when_touched.size(), 37u);
  // Nor where a task is so heavy that by the formula the others would wait much longer.
  const Served steep = serve(flat_and_many(/*heavy_seconds=*/1e6, /*light_tasks=*/5), 2000);
  ASSERT_EQ(steep.slices_of_heaviest_when_touched.size(), 5u);
  for (const size_t slices : steep.slices_of_heaviest_when_touched) EXPECT_LT(slices, 10u);
}

TEST(TaskScheduler, CountsTrialsNotSlices) {
  TaskScheduler scheduler({{.kind = "a"}, {.kind = "b"}});
  scheduler.report(0, {.trials = 1, .best_seconds = 1.0}, false);
  scheduler.report(1, {.trials = 1, .best_seconds = 5.0}, false);
  EXPECT_EQ(scheduler.next(), 1u);
  scheduler.report(1, {.trials = 16, .best_seconds = 5.0}, false);
  EXPECT_EQ(scheduler.next(), 0u);  // 1 in one trial, against 5 in 17
}

TEST(TaskScheduler, LeavesOutWhatIsFinishedAndEndsWithTheLast) {
  TaskScheduler scheduler({{.weight = 1}, {.weight = 100}});
  scheduler.report(0, {.best_seconds = 1.0}, false);
  scheduler.report(1, {.best_seconds = 1.0}, true);
  EXPECT_EQ(scheduler.unfinished(), 1u);
  EXPECT_EQ(scheduler.next(), 0u);
  scheduler.report(0, {.best_seconds = 1.0}, true);
  EXPECT_EQ(scheduler.next(), std::nullopt);
}

TEST(TaskScheduler, DoesNotSpendTheBudgetOnATaskWithoutAValidCandidate) {
  TaskScheduler scheduler({{.kind = "works"}, {.kind = "fails"}});
  for (size_t slice = 1; slice <= 100; ++slice) {
    const size_t task = *scheduler.next();
    scheduler.report(task, {.best_seconds = task == 0 ? std::optional(1.0) : std::nullopt}, false);
  }
  EXPECT_GE(scheduler.slices(0), 40u);
  EXPECT_GE(scheduler.slices(1), 40u);  // nor gives it up
}

RC_GTEST_PROP(TaskSchedulerLaw, StarvesNobody, ()) {
  const std::vector<Curve> curves = any_curves(/*most=*/5, /*kinds=*/2);
  double largest = 0, smallest = 1e300;
  for (const Curve& curve : curves) {
    largest = std::max(largest, curve.task.weight * curve.at(0));
    smallest = std::min(smallest, curve.task.weight * curve.floor_seconds);
  }
  // The gain that is expected of a task falls as one over the slices that it had in vain, and no
  // curve falls by 1 % more than 200 times: after so many, the others are due.
  const size_t rounds = 200 + static_cast<size_t>(4 * largest / smallest);
  const std::vector<size_t> slices = by_gradient(curves, rounds * curves.size());
  for (const size_t count : slices) RC_ASSERT(count >= 2u);
}

// A guess is a guess: where nearly all is gained it may cost a little, never much.
RC_GTEST_PROP(TaskSchedulerLaw, CostsLittleWhereTurnsAreBest, ()) {
  const std::vector<Curve> curves = any_curves(/*most=*/12, /*kinds=*/12);
  const size_t budget = curves.size() * *rc::gen::inRange<size_t>(4, 40);
  RC_ASSERT(network_seconds(curves, by_gradient(curves, budget)) <=
            1.1 * network_seconds(curves, in_turn(curves, budget)));
}

TEST(TaskScheduler, BeatsTakingTurnsOnTheWeightedSumOfConvexCurves) {
  std::mt19937 random(1);
  const auto uniform = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  int better = 0;
  double left_by_gradient = 0, left_in_turn = 0;
  constexpr int kNetworks = 200;
  for (int network = 0; network < kNetworks; ++network) {
    std::vector<Curve> curves;
    for (int i = 0; i < 12; ++i) {
      const double scale = std::pow(10.0, uniform(0, 2));
      curves.push_back({.task = {.weight = std::floor(uniform(1, 20)),
                                 .nominal_flops = scale,
                                 .kind = std::to_string(i)},
                        .floor_seconds = scale,
                        .drop_seconds = scale * uniform(0, 5),
                        .decay = uniform(0.5, 0.98)});
    }
    const double start = network_seconds(curves, std::vector<size_t>(12, 0));
    const double floor = network_seconds(curves, std::vector<size_t>(12, 100'000));
    const double turns = network_seconds(curves, in_turn(curves, 180)) - floor;
    const double gradient = network_seconds(curves, by_gradient(curves, 180)) - floor;
    better += gradient < turns;
    left_in_turn += turns / (start - floor) / kNetworks;
    left_by_gradient += gradient / (start - floor) / kNetworks;
  }
  EXPECT_GE(better, kNetworks * 7 / 10);
  EXPECT_LT(left_by_gradient, 0.6 * left_in_turn);
}

TEST(TaskScheduler, ReachesWhatTurnsReachWithFewerSlices) {
  // ResNet-18's shape of things: a few heavy tasks, many light ones.
  std::vector<Curve> curves;
  for (size_t i = 0; i < 12; ++i) {
    const double heavy = i < 3 ? 20 : 1;
    curves.push_back(
        {.task = {.weight = i < 3 ? 4.0 : 1.0, .nominal_flops = heavy, .kind = std::to_string(i)},
         .floor_seconds = heavy,
         .drop_seconds = 3 * heavy,
         .decay = 0.9});
  }
  const double turns = network_seconds(curves, in_turn(curves, 240));
  EXPECT_LT(network_seconds(curves, by_gradient(curves, 120)), turns);
}

}  // namespace
}  // namespace dovetail
