// SPDX-License-Identifier: Apache-2.0
#include "campaign/machine.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "core/base/cores.h"
#include "core/ir/region/work.h"
#include "measure/machine/machine_peak.h"
#include "primitives/algorithm/roof.h"

namespace dovetail {
namespace {

// Runs in a separate thread, because a ThreadPool pins its caller.
template <typename Function>
void on_timed_cores(int threads, const Function& function) {
  const auto timed = static_cast<size_t>(std::max(threads, 1));
  std::thread([&] {
    ThreadPool pool(split_cores(physical_cores(), timed).timed);
    function(pool);
  }).join();
}

void measure_streams(ThreadPool& pool, const Target& target, const std::vector<Region>& regions,
                     Machine& machine) {
  for (const Region& region : regions) {
    if (!region.anchor.empty() || stream_of(machine, region) != nullptr) continue;
    const int64_t written = written_bytes(region), read = operand_bytes(region) - written;
    machine.streams.push_back({read, written, measure_stream(pool, target, read, written)});
  }
}

}  // namespace

Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, Caches caches) {
  const bool cold = caches == Caches::cold;
  Machine machine;
  if (peak_gflops > 0) machine.peak_gflops = peak_gflops;
  if (!runs_threads(target)) return machine;
  int64_t most_bytes = 0;
  for (const Region& region : regions) most_bytes = std::max(most_bytes, operand_bytes(region));
  const std::vector<std::optional<int64_t>> capacities{target.l1_bytes, target.l2_bytes,
                                                       target.l3_bytes, std::nullopt};
  const auto holds_all = std::ranges::find_if(capacities, [&](const std::optional<int64_t>& of) {
    return !of || (!cold && *of >= most_bytes);
  });
  const auto num_levels = static_cast<size_t>(holds_all - capacities.begin()) + 1;
  on_timed_cores(target.name.threads, [&](ThreadPool& pool) {
    if (!machine.peak_gflops) machine.peak_gflops = measure_fma_gflops(pool);
    const std::vector<LevelBandwidth> levels = measure_bandwidth(pool, target, num_levels);
    for (size_t i = 0; i < levels.size(); ++i)
      machine.levels.push_back(
          {.capacity_bytes = capacities[i], .bytes_per_second = levels[i].read_bytes_per_second});
    if (!cold) measure_streams(pool, target, regions, machine);
  });
  return cold ? without_caches(std::move(machine)) : machine;
}

}  // namespace dovetail
