// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkTrials: networks of one model, made ready to run on the same inputs and cores, and timed.
//
//   const TrialSetting setting{parts, target, cores, inputs};
//   in_thread([&] { return try_network(setting, lowered); })          the whole, and each step
//   in_thread([&] { return compare_networks(setting, networks); })    several, in turn
//
// Loading a network pins the calling thread, which from then on sees no other core: hence a thread
// per trial, and cores that are determined beforehand.

#include <optional>
#include <thread>
#include <vector>

#include "campaign/run/network_checker.h"
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
  const std::vector<NDArray>& inputs;  // in the graph's order
  bool owns_process = true;            // campaign/run/network_request.h
};

template <typename Work>
auto in_thread(const Work& work) {
  std::optional<decltype(work())> done;
  std::thread([&] { done.emplace(work()); }).join();
  return *std::move(done);
}

// Returns unused memory to the system before a large network is loaded. Skipped for small ones,
// where it takes longer than the run: dropped code pages are read in again one by one.
void make_room_for(const Graph& graph);

// The most memory that this process has had so far: reading the model and compiling are in it.
int64_t process_peak_bytes();

// Stores arrays of the graph's inputs, in order, where the network reads them.
Result<void> write_inputs(const Graph& graph, const std::vector<NDArray>& inputs,
                          LoadedNetwork& network);

// Plans, compiles and loads a network, and stores its inputs.
Result<LoadedNetwork> load_network(const TrialSetting& setting, const LoweredNetwork& lowered,
                                   StoreConstants when = StoreConstants::all);

// Seconds of each run, as many as their median needs.
Result<std::vector<double>> time_network(LoadedNetwork& network);
Contestant contestant_of(LoadedNetwork& network);  // "ours", timed run by run

Result<NetworkTrial> try_network(const TrialSetting& setting, const LoweredNetwork& lowered);
// Seconds of each network.
Result<std::vector<double>> compare_networks(const TrialSetting& setting,
                                             const std::vector<LoweredNetwork>& networks);

}  // namespace dovetail
