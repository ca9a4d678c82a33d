// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/measured_fusions.h"

#include <gtest/gtest.h>

#include "tests/deploy/network/network_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

const char* const kPlainBottleneck =
    "input x: f32[1,16,12,12]\nconstant a: f32[96,16,1,1]\nconstant c: f32[96,1,3,3]\n"
    "constant e: f32[16,96,1,1]\n"
    "node expand = complex c2d:ci=16,co=96,h=12,w=12,k=1 (x, a) -> t: f32[1,96,12,12]\n"
    "node dw = complex dep:c=96,h=12,w=12,k=3,p=1 (t, c) -> u: f32[1,96,12,12]\n"
    "node project = complex c2d:ci=96,co=16,h=12,w=12,k=1 (u, e) -> y: f32[1,16,12,12]\noutput y\n";

// Regions take a second each, apart or not a chain; a chain takes what it is told to.
struct FakeNetworks {
  double chain_seconds, ahead_gain;

  double seconds(const LoweredNetwork& lowered) const {
    double sum = 0;
    for (const NetworkStep& step : lowered.steps) sum += seconds_of(step);
    const bool asks = print(lowered.program).find(" far") != std::string::npos;
    return asks ? sum * ahead_gain : sum;
  }
  double seconds_of(const NetworkStep& step) const {
    return !step.node ? 0.01 : step.task.region.computations.size() > 1 ? chain_seconds : 1;
  }
  NetworkMeter meter() const {
    return {.measure = [this](const LoweredNetwork& lowered) -> Result<NetworkTrial> {
              NetworkTrial trial{.seconds = seconds(lowered), .step_seconds = {}};
              for (const NetworkStep& step : lowered.steps)
                trial.step_seconds.push_back(seconds_of(step));
              return trial;
            },
            .compare =
                [this](const std::vector<LoweredNetwork>& networks) -> Result<std::vector<double>> {
              std::vector<double> all;
              for (const LoweredNetwork& one : networks) all.push_back(seconds(one));
              return all;
            }};
  }
};

MeasuredFusions measured(const FakeNetworks& machine, std::optional<double> in_the_log) {
  const Partition parts = parts_of(kPlainBottleneck);
  Target target = cpu_here();
  target.l2_bytes = 1 << 10;
  const TraceOfTask defaults = default_traces(target);
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    return std::vector<TimedTrace>{{.trace = TRY(defaults(task)), .seconds = in_the_log}};
  };
  MeasuredFusions found = right(measured_fusions(parts, target, traces, defaults, machine.meter()));
  EXPECT_TRUE(
      runs_right(found.parts, right(lower_network(found.parts, target, defaults, found.network))));
  return found;
}

TEST(MeasuredFusions, TakesAChainThatIsFasterInTheNetwork) {
  const MeasuredFusions found = measured({.chain_seconds = 2, .ahead_gain = 1}, 2);
  EXPECT_EQ(found.chains, (std::vector<NodeChain>{{.nodes = {0, 1, 2}}}));
  EXPECT_EQ(found.parts.regions.size(), 1u);
  EXPECT_LT(found.seconds, found.joint_seconds);
}

TEST(MeasuredFusions, LeavesAChainApartThatIsSlowerInTheNetwork) {
  const MeasuredFusions found = measured({.chain_seconds = 4, .ahead_gain = 1}, 2);
  EXPECT_TRUE(found.chains.empty());
  EXPECT_EQ(found.parts.regions.size(), 3u);
}

TEST(MeasuredFusions, TriesNoChainThatTheLogHasAsSlower) {
  const FakeNetworks machine{.chain_seconds = 0.1, .ahead_gain = 1};
  EXPECT_TRUE(measured(machine, 4).chains.empty());
  EXPECT_TRUE(measured(machine, std::nullopt).chains.empty()) << "nothing is known of it";
}

TEST(MeasuredFusions, SaysTheLeastThatWasFoundIfNothingFits) {
  const Partition parts = parts_of(kPlainBottleneck);
  const TraceOfTask defaults = default_traces(cpu_here());
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    return std::vector<TimedTrace>{{.trace = TRY(defaults(task)), .seconds = 1}};
  };
  NetworkMeter meter = FakeNetworks{.chain_seconds = 2, .ahead_gain = 1}.meter();
  meter.most_bytes = 1000;
  EXPECT_ERROR(measured_fusions(parts, cpu_here(), traces, defaults, meter),
               "fits into 0.001 MB of memory; least found: 0.");
}

TEST(MeasuredFusions, AsksForWeightsAheadWhereThatIsFaster) {
  EXPECT_TRUE(measured({.chain_seconds = 4, .ahead_gain = 0.9}, 2).network.prefetches_weights);
  EXPECT_FALSE(measured({.chain_seconds = 4, .ahead_gain = 1.1}, 2).network.prefetches_weights);
}

}  // namespace
}  // namespace dovetail
