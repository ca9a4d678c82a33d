// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_trials.h"

#include <sys/resource.h>

#include <algorithm>
#include <numeric>

#include "campaign/run/network_profile.h"
#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "core/runtime/unused_memory.h"
#include "deploy/network/link_network.h"
#include "deploy/network/network_code.h"
#include "measure/timing.h"

namespace dovetail {

void make_room_for(const Graph& graph) {
  constexpr int64_t kLargeBytes = int64_t{16} << 20;
  if (working_set_bytes(graph) >= kLargeBytes) release_unused_memory();
}

int64_t process_peak_bytes() {
  rusage usage{};
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0, "the usage of this process is known");
  return int64_t{usage.ru_maxrss} * 1024;
}

Result<void> write_inputs(const Graph& graph, const std::vector<NDArray>& inputs,
                          LoadedNetwork& network) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = graph.tensors[static_cast<size_t>(graph.inputs[i])].name;
    for (size_t b = 0; b < network.program().buffers.size(); ++b) {
      const NetworkBuffer& held = network.program().buffers[b];
      if (held.buffer.role == BufferRole::activation && held.tensors[0] == name)
        TRY(network.write(b, inputs[i]));
    }
  }
  return {};
}

Result<LoadedNetwork> load_network(const TrialSetting& setting, const LoweredNetwork& lowered,
                                   StoreConstants when) {
  NetworkPlan plan =
      TRY(plan_network(lowered.program, {.alignment = setting.target.buffer_alignment}));
  Executable executable =
      TRY(link_network(setting.parts.graph, lowered.program, plan,
                       TRY(build_network(lowered.program, setting.target)), setting.target));
  if (setting.owns_process) make_room_for(setting.parts.graph);  // frees the compiler's memory
  LoadedNetwork network = TRY(LoadedNetwork::load(
      {.program = lowered.program, .plan = std::move(plan), .executable = std::move(executable)},
      setting.cores, constants_of(setting.parts.graph), when));
  if (setting.owns_process) make_room_for(setting.parts.graph);  // frees the loader's memory
  TRY(write_inputs(setting.parts.graph, setting.inputs, network));
  return network;
}

Result<std::vector<double>> time_network(LoadedNetwork& network) {
  const auto sample = [&](int64_t runs) -> Result<double> {
    return TRY(network.run(runs)) * static_cast<double>(runs);
  };
  return time_adaptively(sample, TimingRule());
}

Contestant contestant_of(LoadedNetwork& network) {
  const auto sample = [&network](const RoundsRule& rule) -> Result<std::vector<double>> {
    for (int64_t run = 0; run < rule.warm_up; ++run) TRY(network.run());
    std::vector<double> samples;
    double sum = 0;
    while (std::ssize(samples) < rule.runs && sum < rule.seconds) {
      samples.push_back(TRY(network.run()));
      sum += samples.back();
    }
    return samples;
  };
  return {.name = "ours", .sample = sample};
}

Result<NetworkTrial> try_network(const TrialSetting& setting, const LoweredNetwork& lowered) {
  LoadedNetwork network = TRY(load_network(setting, lowered));
  NetworkTrial trial{.seconds = median(TRY(time_network(network))), .step_seconds = {}};
  trial.step_seconds.resize(lowered.steps.size());
  for (const ProfiledKernel& kernel : TRY(profile_network(network, lowered)).kernels)
    trial.step_seconds[kernel.step] += kernel.seconds;
  return trial;
}

Result<std::vector<double>> compare_networks(const TrialSetting& setting,
                                             const std::vector<LoweredNetwork>& networks) {
  // Two warm-up runs undo what the others left in the caches.
  constexpr RoundsRule kRule{.rounds = 9,
                             .most_rounds = 25,
                             .rounds_seconds = 3,
                             .warm_up = 2,
                             .runs = 1000,
                             .seconds = 0.02};
  // Page placement makes a network a hundredth faster or slower for as long as it is loaded: all
  // are loaded twice, in both orders, and averaged.
  std::vector<double> seconds(networks.size(), 0);
  std::vector<size_t> order(networks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<LoadedNetwork> loaded;
    for (const size_t n : order) loaded.push_back(TRY(load_network(setting, networks[n])));
    std::vector<Contestant> contestants;
    for (LoadedNetwork& one : loaded) contestants.push_back(contestant_of(one));
    const std::vector<ContestResult> standings = measure_in_turn(contestants, kRule);
    for (size_t k = 0; k < order.size(); ++k) {
      if (!standings[k].seconds) return fail(standings[k].reason);
      seconds[order[k]] += *standings[k].seconds / 2;
    }
    std::ranges::reverse(order);
  }
  return seconds;
}

}  // namespace dovetail
