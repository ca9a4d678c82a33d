// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/measured_fusions.h"

#include <algorithm>
#include <map>

#include "core/base/fail.h"
#include "deploy/network/network_plan.h"

namespace dovetail {
namespace {

// A chain is tried if its logged time is below this multiple of its nodes' times, an estimate.
constexpr double kHopeful = 1.1;
// Weights are prefetched only if that brings the network's time below this fraction. Two
// comparisons of the same networks differ by 1 %: with 0.995 MobileNet-V2 on a Zen 5 prefetched,
// and its kernels took 2.38 ms instead of 2.31.
constexpr double kFasterAhead = 0.98;

class FusionSearch {
 public:
  FusionSearch(const Partition& parts, const Target& target, const TracesOfTask& traces_of,
               const TraceOfTask& trace_of, const NetworkMeter& meter)
      : parts_(parts), target_(target), traces_of_(traces_of), trace_of_(trace_of), meter_(meter) {}

  Result<MeasuredFusions> search() {
    TRY(measure({}));
    if (networks_.empty())
      return fail("no choice of layouts was found that fits into {} of memory; least found: {}",
                  print_megabytes(*meter_.most_bytes), print_megabytes(least_bytes_));
    const std::vector<NodeChain> hopeful = TRY(hopeful_chains());
    if (!hopeful.empty()) {
      TRY(measure(hopeful));
      const std::vector<NodeChain> faster = faster_chains(networks_.back());
      if (!faster.empty() && faster.size() < hopeful.size()) TRY(measure(faster));
    }
    return chosen();
  }

 private:
  struct Measured {
    std::vector<NodeChain> chains;
    Partition parts;
    MeasuredLayouts layouts;
  };

  // Adds nothing if no network with these chains fits the memory limit.
  Result<void> measure(const std::vector<NodeChain>& chains) {
    Partition parts = fused(parts_, chains);
    MeasuredLayouts layouts =
        TRY(measured_layouts(parts, target_, traces_of_, trace_of_, meter_, times_));
    if (layouts.least_bytes) {
      least_bytes_ = *layouts.least_bytes;
      return {};
    }
    networks_.push_back({chains, std::move(parts), std::move(layouts)});
    return {};
  }

  double seconds_apart(const NodeChain& chain) const {
    double seconds = 0;
    for (const size_t node : chain.nodes) seconds += networks_[0].layouts.node_seconds[node];
    return seconds;
  }

  // A chain without a logged time is not tried: nothing is known of its default trace.
  Result<std::vector<NodeChain>> hopeful_chains() {
    std::vector<NodeChain> hopeful;
    for (const NodeChain& chain : fusible_chains(parts_, target_)) {
      const std::vector<TimedTrace> traces = TRY(traces_of_(task_of(parts_, chain)));
      const std::optional<double> seconds = traces.front().seconds;
      if (seconds && *seconds < kHopeful * seconds_apart(chain)) hopeful.push_back(chain);
    }
    return hopeful;
  }

  std::vector<NodeChain> faster_chains(const Measured& network) const {
    std::map<std::string, double> seconds;
    for (size_t n = 0; n < network.parts.regions.size(); ++n)
      seconds[network.parts.graph.nodes[n].name] = network.layouts.node_seconds[n];
    std::vector<NodeChain> faster;
    for (const NodeChain& chain : network.chains)
      if (seconds.at(parts_.graph.nodes[chain.nodes.back()].name) < seconds_apart(chain))
        faster.push_back(chain);
    return faster;
  }

  Result<MeasuredFusions> chosen() {
    MeasuredFusions result;
    std::vector<LoweredNetwork> lowered;
    for (const Measured& one : networks_) {
      lowered.push_back(TRY(lower_network(one.parts, target_, trace_of_, one.layouts.network)));
      result.all_seconds.insert(result.all_seconds.end(), one.layouts.all_seconds.begin(),
                                one.layouts.all_seconds.end());
    }
    std::vector<double> seconds{networks_[0].layouts.seconds};
    if (networks_.size() > 1) seconds = TRY(meter_.compare(lowered));
    const auto best = std::ranges::min_element(seconds) - seconds.begin();
    Measured& taken = networks_[static_cast<size_t>(best)];
    // `joint` was compared with the unfused network earlier: rescaled to that network's time here.
    const MeasuredLayouts& apart = networks_[0].layouts;
    result.joint_seconds = apart.joint_seconds * seconds[0] / apart.seconds;
    result.seconds = seconds[static_cast<size_t>(best)];
    result.is_settled = taken.layouts.is_settled;
    result.chains = taken.chains;
    result.network = std::move(taken.layouts.network);
    result.parts = std::move(taken.parts);
    TRY(ask_ahead(lowered[static_cast<size_t>(best)], result));
    return result;
  }

  Result<void> ask_ahead(const LoweredNetwork& lowered, MeasuredFusions& result) {
    if (!runs_threads(target_)) return {};
    NetworkChoice ahead = result.network;
    ahead.prefetches_weights = true;
    const std::vector<LoweredNetwork> both{
        lowered, TRY(lower_network(result.parts, target_, trace_of_, ahead))};
    const std::vector<double> seconds = TRY(meter_.compare(both));
    if (seconds[1] >= kFasterAhead * seconds[0]) return {};
    result.network = std::move(ahead);
    result.seconds *= seconds[1] / seconds[0];
    return {};
  }

  const Partition& parts_;
  const Target& target_;
  const TracesOfTask& traces_of_;
  const TraceOfTask& trace_of_;
  const NetworkMeter& meter_;
  MeasuredTimes times_;
  int64_t least_bytes_ = 0;         // found by the last measure() that added nothing
  std::vector<Measured> networks_;  // the first is unfused
};

}  // namespace

Result<MeasuredFusions> measured_fusions(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter) {
  return FusionSearch(parts, target, traces_of, trace_of, meter).search();
}

}  // namespace dovetail
