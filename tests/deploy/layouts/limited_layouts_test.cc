// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/limited_layouts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "deploy/layouts/measured_layouts.h"
#include "deploy/network/network_plan.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/algorithm_points.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// W.wino has four times the numbers of W.
const char* const kThreeConvolutions =
    "input x: f32[1,16,8,8]\nconstant a: f32[16,16,3,3]\nconstant b: f32[32,16,3,3]\n"
    "constant c: f32[16,32,3,3]\n"
    "node c1 = complex c2d:ci=16,co=16,h=8,w=8,k=3,p=1 (x, a) -> t: f32[1,16,8,8]\n"
    "node c2 = complex c2d:ci=16,co=32,h=8,w=8,k=3,p=1 (t, b) -> u: f32[1,32,8,8]\n"
    "node c3 = complex c2d:ci=32,co=16,h=8,w=8,k=3,p=1 (u, c) -> y: f32[1,16,8,8]\noutput y\n";
constexpr int64_t kManyBytes = 1 << 30;
constexpr int64_t kDirectBytes = 4 * 9 * (16 * 16 + 2 * 16 * 32);

// Winograd is twice as fast, as a log says.
TracesOfTask fast_and_small(const Target& target) {
  return [target](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    const Space space = TRY(build_space(task, target));
    return std::vector<TimedTrace>{
        {.trace = space.decode(testing::default_point_of(space, "winograd_4")), .seconds = 1e-3},
        {.trace = space.decode(testing::default_point_of(space, "direct")), .seconds = 2e-3}};
  };
}

class LimitedLayouts : public ::testing::Test {
 protected:
  const Partition parts_ = parts_of(kThreeConvolutions);
  const Target target_ = cpu_here();
  const TracesOfTask traces_ = fast_and_small(target_);
};

TEST_F(LimitedLayouts, AreTheFastestWithSoManyBytesOfConstants) {
  const LayoutAlternatives found =
      right(layout_alternatives(parts_, target_, traces_, Propagation::both));
  const LayoutCosts costs = logged_costs(parts_, found);
  const LayoutChoice fastest = choose_layouts(parts_, found, costs);
  EXPECT_EQ(constant_bytes(found, fastest.picked), 4 * kDirectBytes);
  double last = 1e9;
  for (int64_t bytes = kDirectBytes; bytes <= 4 * kDirectBytes; bytes += 2000) {
    const LimitedChoice chosen = choose_within(parts_, found, costs, {bytes, kManyBytes});
    ASSERT_TRUE(chosen.fits) << bytes;
    EXPECT_LE(constant_bytes(found, chosen.choice.picked), bytes);
    const double cost = cost_of(parts_, found, costs, chosen.choice.picked);
    EXPECT_LE(cost, last) << bytes;
    last = cost;
  }
  EXPECT_EQ(choose_within(parts_, found, costs, {4 * kDirectBytes, kManyBytes}).choice.picked,
            fastest.picked);
  const LimitedChoice none = choose_within(parts_, found, costs, {kDirectBytes - 1, kManyBytes});
  EXPECT_FALSE(none.fits);
  EXPECT_EQ(constant_bytes(found, none.choice.picked), kDirectBytes) << "the fewest that there are";
}

// Transformed tiles are temporaries: of c3, which is given twice as much as c1, the largest.
TEST_F(LimitedLayouts, HaveNoRegionThatNeedsMoreForItself) {
  const LayoutAlternatives found =
      right(layout_alternatives(parts_, target_, traces_, Propagation::both));
  const LayoutCosts costs = logged_costs(parts_, found);
  const auto temporaries = [&](const LayoutChoice& choice, size_t node) {
    return found.nodes[node][choice.picked[node]].temporary_bytes;
  };
  const LayoutChoice fastest = choose_layouts(parts_, found, costs);
  const int64_t activations = 4 * 8 * 8 * (16 + 32);  // inputs and outputs of c2, or of c3
  const int64_t most = std::max(temporaries(fastest, 1), temporaries(fastest, 2));
  const LimitedChoice chosen =
      choose_within(parts_, found, costs, {kManyBytes, activations + most - 1});
  ASSERT_TRUE(chosen.fits);
  EXPECT_LT(std::max(temporaries(chosen.choice, 1), temporaries(chosen.choice, 2)), most);
  EXPECT_EQ(choose_within(parts_, found, costs, {kManyBytes, activations + most}).choice.picked,
            fastest.picked);
}

// Every choice with as few bytes costs as much or more: all of them are tried.
TEST_F(LimitedLayouts, NoChoiceWithAsFewBytesIsFaster) {
  const LayoutAlternatives found =
      right(layout_alternatives(parts_, target_, traces_, Propagation::both));
  const LayoutCosts costs = logged_costs(parts_, found);
  for (const int64_t bytes : {kDirectBytes, 2 * kDirectBytes, 3 * kDirectBytes}) {
    const LayoutChoice chosen = choose_within(parts_, found, costs, {bytes, kManyBytes}).choice;
    const int64_t taken = constant_bytes(found, chosen.picked);
    const double cost = cost_of(parts_, found, costs, chosen.picked);
    std::vector<size_t> picked(3);
    for (picked[0] = 0; picked[0] < found.nodes[0].size(); ++picked[0])
      for (picked[1] = 0; picked[1] < found.nodes[1].size(); ++picked[1])
        for (picked[2] = 0; picked[2] < found.nodes[2].size(); ++picked[2]) {
          if (constant_bytes(found, picked) > taken) continue;
          EXPECT_GE(cost_of(parts_, found, costs, picked), cost * (1 - 1e-9));
        }
  }
}

// On this machine Winograd is faster, too; what a network keeps is what its plan says.
TEST_F(LimitedLayouts, AreTheOnesThatNetworksAreMeasuredIn) {
  const auto seconds_of = [](const LoweredNetwork& lowered) {
    NetworkTrial trial;
    for (const NetworkStep& step : lowered.steps) {
      trial.step_seconds.push_back(step.node && !step.trace.algorithm ? 2e-3 : 1e-3);
      trial.seconds += trial.step_seconds.back();
    }
    return trial;
  };
  const TraceOfTask direct = default_traces(target_);
  const auto chosen_within = [&](int64_t bytes) {
    const NetworkMeter meter{
        .most_bytes = bytes,
        .measure = [&](const LoweredNetwork& one) -> Result<NetworkTrial> {
          EXPECT_LE(kept_bytes(right(plan_network(one.program))), bytes);
          return seconds_of(one);
        },
        .compare = [&](const std::vector<LoweredNetwork>& all) -> Result<std::vector<double>> {
          std::vector<double> seconds;
          for (const LoweredNetwork& one : all) seconds.push_back(seconds_of(one).seconds);
          return seconds;
        }};
    MeasuredTimes times;
    return measured_layouts(parts_, target_, traces_, direct, meter, times);
  };
  const int64_t enough = 10 * kDirectBytes;
  const MeasuredLayouts all = right(chosen_within(enough));
  const LoweredNetwork large = right(lower_network(parts_, target_, direct, all.network));
  const int64_t most = kept_bytes(right(plan_network(large.program)));
  const MeasuredLayouts some = right(chosen_within(most - 1));
  EXPECT_GT(some.seconds, all.seconds);
  EXPECT_TRUE(runs_right(parts_, right(lower_network(parts_, target_, direct, some.network))));
  const MeasuredLayouts none = right(chosen_within(1000));
  ASSERT_TRUE(none.least_bytes);
  EXPECT_TRUE(none.all_seconds.empty());
  const MeasuredLayouts least = right(chosen_within(*none.least_bytes));
  EXPECT_FALSE(least.least_bytes) << "what was found fits into as many bytes";
  EXPECT_EQ(kept_bytes(right(plan_network(
                right(lower_network(parts_, target_, direct, least.network)).program))),
            *none.least_bytes);
}

}  // namespace
}  // namespace dovetail
