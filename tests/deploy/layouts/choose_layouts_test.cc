// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/choose_layouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "deploy/layouts/measured_layouts.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

constexpr PartitionOptions kElementwiseApart = {.tail_values = false};

// Nothing is padded, whatever the vectors are, so that no region makes a copy of its own.
const char* const kChain =
    "input x: f32[1,16,16,16]\nconstant a: f32[16,16,1,1]\nconstant b: f32[16,16,1,1]\n"
    "node c1 = complex c2d:ci=16,co=16,h=16,w=16,k=1 (x, a) -> t: f32[1,16,16,16]\n"
    "node e = elementwise Exp (t) -> u: f32[1,16,16,16]\n"
    "node c2 = complex c2d:ci=16,co=16,h=16,w=16,k=1 (u, b) -> v: f32[1,16,16,16]\n"
    "node f = elementwise Abs (v) -> y: f32[1,16,16,16]\noutput y\n";

TEST(ChooseLayouts, GoesForwardAndBackward) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  const auto conversions = [&](Propagation propagation) {
    const LoweredNetwork lowered =
        right(testing::lowered_network(parts, target, default_traces(target), propagation));
    EXPECT_TRUE(runs_right(parts, lowered));
    return conversions_of(lowered);
  };
  const int64_t none = conversions(Propagation::none);
  EXPECT_LT(conversions(Propagation::forward), none);
  EXPECT_LT(conversions(Propagation::backward), none);
  EXPECT_LE(conversions(Propagation::both), conversions(Propagation::forward));
}

TEST(ChooseLayouts, NoSumOfOtherAlternativesIsLess) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  const LayoutAlternatives found = right(layout_alternatives(
      parts, target, only(testing::random_traces_of(target, 3)), Propagation::both));
  const LayoutChoice chosen = choose_layouts(parts, found, logged_costs(parts, found));
  EXPECT_TRUE(chosen.is_exact);
  EXPECT_EQ(chosen.picked.size(), parts.regions.size());
  LayoutCosts all_free = logged_costs(parts, found);
  all_free.conversion = [](TensorId, const NormalLayout&, const NormalLayout&) { return 0.0; };
  EXPECT_LE(choose_layouts(parts, found, all_free).cost, chosen.cost);
}

// Row-major is what the network's input and output are in: it needs no conversion.
TEST(LoggedCosts, WeighTracesAgainstConversions) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  for (const double slower_seconds : {1e-9, 1.0}) {
    const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
      std::vector<TimedTrace> found;
      for (const FixedLayout layout : {FixedLayout::nohw16o, FixedLayout::nohw})
        found.push_back({.trace = TRY(build_space(task, target, layout)).default_trace(),
                         .seconds = found.empty() ? 1 : 1 + slower_seconds});
      return found;
    };
    const NetworkChoice choice = right(propagated(parts, target, traces));
    const LoweredNetwork lowered =
        right(lower_network(parts, target, default_traces(target), choice));
    EXPECT_EQ(conversions_of(lowered) == 0, slower_seconds < 1e-6) << slower_seconds;
    EXPECT_TRUE(runs_right(parts, lowered));
  }
}

TEST(LoggedCosts, LeaveOutTracesWithoutATimeWhereAnotherHasOne) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    return std::vector<TimedTrace>{
        {.trace = TRY(build_space(task, target, FixedLayout::nohw16o)).default_trace(),
         .seconds = 1},
        {.trace = TRY(build_space(task, target, FixedLayout::nohw)).default_trace()}};
  };
  const NetworkChoice choice = right(propagated(parts, target, traces));
  const LoweredNetwork lowered =
      right(lower_network(parts, target, default_traces(target), choice));
  EXPECT_GT(conversions_of(lowered), 0);
}

// A machine on which each step takes what it is said to take.
class FakeMachine {
 public:
  explicit FakeMachine(std::function<double(const NetworkStep&)> seconds_of)
      : seconds_of_(std::move(seconds_of)) {}

  Result<NetworkTrial> measure(const LoweredNetwork& lowered) {
    NetworkTrial trial;
    for (const NetworkStep& step : lowered.steps) {
      trial.step_seconds.push_back(seconds_of_(step));
      trial.seconds += trial.step_seconds.back();
    }
    least = std::min(least, trial.seconds);
    return trial;
  }

  NetworkMeter meter() {
    return {.measure = [this](const LoweredNetwork& lowered) { return measure(lowered); },
            .compare =
                [this](const std::vector<LoweredNetwork>& networks) -> Result<std::vector<double>> {
              std::vector<double> seconds;
              for (const LoweredNetwork& one : networks)
                seconds.push_back(TRY(measure(one)).seconds);
              return seconds;
            }};
  }

  double least = 1e9;

 private:
  std::function<double(const NetworkStep&)> seconds_of_;
};

// Conversions are dear, or Exp in blocks is: what is measured decides, and the network that is
// taken is the fastest of those measured.
TEST(MeasuredLayouts, TakesTheFastestNetworkThatItMeasured) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  for (const auto& [conversion, changed_exp] : {std::pair(10.0, 1.0), {0.01, 50.0}, {1.0, 1.0}}) {
    FakeMachine machine([=](const NetworkStep& step) {
      if (!step.node) return conversion;
      const bool is_plain = print(step.task) == "B[a,b,c,d]=exp(A[a,b,c,d]):a=1,b=16,c=8,d=8";
      return *step.node == 1 && !is_plain ? changed_exp : 1;
    });
    MeasuredTimes times;
    const MeasuredLayouts found =
        right(measured_layouts(parts, target, only(default_traces(target)), default_traces(target),
                               machine.meter(), times));
    EXPECT_TRUE(found.is_settled);
    EXPECT_LE(found.seconds, 1.01 * machine.least);
    EXPECT_LE(found.seconds, 1.01 * found.joint_seconds);
    const LoweredNetwork lowered =
        right(lower_network(parts, target, default_traces(target), found.network));
    EXPECT_EQ(right(machine.measure(lowered)).seconds, found.seconds);
    EXPECT_TRUE(runs_right(parts, lowered));
  }
}

// A log of a busy hour has a slow trace as the best one, in the default trace's own layouts.
TEST(MeasuredLayouts, TriesDefaultTracesWhateverALogSays) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  const TraceOfTask otherwise = default_traces(target);
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    Trace slow = TRY(otherwise(task));
    slow.loops[0].primitives.pop_back();
    return std::vector<TimedTrace>{{.trace = slow, .seconds = 1},
                                   {.trace = TRY(otherwise(task)), .is_default = true}};
  };
  const auto is_slow = [&](const NetworkStep& step) {
    return (step.node == 0u || step.node == 2u) && step.trace != right(otherwise(step.task));
  };
  FakeMachine machine(
      [&](const NetworkStep& step) { return is_slow(step) ? 2.0 : (step.node ? 1.0 : 0.25); });
  MeasuredTimes times;
  const MeasuredLayouts found =
      right(measured_layouts(parts, target, traces, otherwise, machine.meter(), times));
  EXPECT_GE(found.joint_seconds, found.seconds + 2);
  const LoweredNetwork lowered = right(lower_network(parts, target, otherwise, found.network));
  EXPECT_EQ(std::ranges::count_if(lowered.steps, is_slow), 0);
}

// c2 is faster where t is in blocks, and nobody makes it so: a conversion that saves no more than
// what two measurements of one network differ by is not worth it.
TEST(MeasuredLayouts, ConvertsNothingForAHundredth) {
  const Partition parts = parts_of(testing::kTwoConvolutions);
  const Target target = cpu_here();
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    std::vector<TimedTrace> found;
    for (const FixedLayout layout : {FixedLayout::nohw, FixedLayout::nohw16o})
      if (layout == FixedLayout::nohw || print(task).find("ci=48") != std::string::npos)
        found.push_back({.trace = TRY(build_space(task, target, layout)).default_trace(),
                         .seconds = layout == FixedLayout::nohw ? 1.1e-6 : 1e-6});
    return found;
  };
  for (const double gain : {0.02, 0.5}) {
    FakeMachine machine([&](const NetworkStep& step) {
      const bool is_faster = print(step.trace).find("layout X: split") != std::string::npos;
      return !step.node ? 0.01 : (step.node == 1u && !is_faster ? 1 + gain : 1.0);
    });
    MeasuredTimes times;
    const MeasuredLayouts found = right(
        measured_layouts(parts, target, traces, default_traces(target), machine.meter(), times));
    const LoweredNetwork lowered =
        right(lower_network(parts, target, default_traces(target), found.network));
    EXPECT_EQ(conversions_of(lowered) == 0, gain < 0.1) << gain;
  }
}

TEST(MeasuredLayouts, PassesAFailedMeasurementOn) {
  const Partition parts = parts_of(kChain, kElementwiseApart);
  const Target target = cpu_here();
  MeasuredTimes times;
  const auto found =
      measured_layouts(parts, target, only(default_traces(target)), default_traces(target),
                       {.measure = [](const LoweredNetwork&) -> Result<NetworkTrial> {
                          return fail("the device is gone");
                        },
                        .compare = {}},
                       times);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().message, "the device is gone");
}

}  // namespace
}  // namespace dovetail
