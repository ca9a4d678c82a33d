// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkTrials: networks of one model, made ready to run on the same inputs and cores, and timed.
//
//   const TrialSetting setting{parts, target, cores, inputs};
//   in_thread([&] { return try_network(setting, lowered); })          the whole, and each step
//   in_thread([&] { return compare_networks(setting, networks); })    several, in turn
//
// A loaded network pins the thread that loads it, which from then on sees no other core: hence
// threads of their own, and cores that were found before.

#include <optional>
#include <thread>
#include <vector>

#include "campaign/run/network_steps.h"
#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/layouts/measured_layouts.h"
#include "deploy/network/loaded_network.h"
#include "measure/network_peers/rounds.h"

namespace dovetail {

struct TrialSetting {
  const Partition& parts;
  const Target& target;
  const std::vector<int>& cores;
  const std::vector<Array>& inputs;  // of the graph, in order
};

template <typename Work>
auto in_thread(const Work& work) {
  std::optional<decltype(work())> done;
  std::thread([&] { done.emplace(work()); }).join();
  return *std::move(done);
}

// Memory that was needed until now goes back before a large network takes its own. Of a small one
// that would take longer than the run: code that is called again comes back page by page.
void make_room_for(const Graph& graph);

// Arrays of the graph's inputs, in order, to where the network reads them.
void write_inputs(const Graph& graph, const std::vector<Array>& inputs, LoadedNetwork& network);

// With the inputs in place.
Result<LoadedNetwork> load_network(const TrialSetting& setting, const LoweredNetwork& lowered,
                                   StoreConstants when = StoreConstants::all);

Result<double> time_network(LoadedNetwork& network);  // seconds of a run, adaptively
Contestant contestant_of(LoadedNetwork& network);     // "ours", run by run

Result<NetworkTrial> try_network(const TrialSetting& setting, const LoweredNetwork& lowered);
// The seconds of each.
Result<std::vector<double>> compare_networks(const TrialSetting& setting,
                                             const std::vector<LoweredNetwork>& networks);

}  // namespace dovetail
