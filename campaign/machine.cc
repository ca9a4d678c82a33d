// SPDX-License-Identifier: Apache-2.0
#include "campaign/machine.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "core/base/check.h"
#include "core/base/cores.h"
#include "core/ir/region/work.h"
#include "measure/machine/machine_peak.h"
#include "primitives/algorithm/winograd.h"

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

// FLOPs that the algorithm executes, without the additions of Pairs, which overlap multiply-adds.
double algorithm_flops(const Region& region, const Trace& trace) {
  if (!trace.algorithm) return real_tap_flops(region);
  if (const auto* pairs = std::get_if<algorithm::WinogradInnerProduct>(&*trace.algorithm)) {
    const auto of = static_cast<double>(pairs->of);
    return real_tap_flops(region) * (of - 1) / of;
  }
  const auto stages = plan_stages(region, trace.algorithm);
  CHECK(stages.has_value(), "a trace that was measured has its algorithm's stages");
  const auto product = std::ranges::find(*stages, kWinogradProduct, &PlannedStage::name);
  CHECK(product != stages->end(), "its stages have a product");
  double multiply_adds = 1;
  for (const Axis& axis : product->computation.axes)
    multiply_adds *= static_cast<double>(axis.extent);
  return 2 * multiply_adds;
}

const Machine::Stream* stream_of(const Machine& machine, const Region& region) {
  const int64_t written = written_bytes(region), read = operand_bytes(region) - written;
  const auto same = std::ranges::find_if(machine.streams, [&](const Machine::Stream& stream) {
    return stream.read_bytes == read && stream.written_bytes == written;
  });
  const bool moves_only = region.anchor.empty();
  return moves_only && same != machine.streams.end() ? &*same : nullptr;
}

void measure_streams(ThreadPool& pool, const std::vector<Region>& regions, Machine& machine) {
  for (const Region& region : regions) {
    if (!region.anchor.empty() || stream_of(machine, region) != nullptr) continue;
    const int64_t written = written_bytes(region), read = operand_bytes(region) - written;
    machine.streams.push_back({read, written, measure_stream(pool, read, written)});
  }
}

}  // namespace

Machine without_caches(Machine machine) {
  if (!machine.levels.empty())
    machine.levels.erase(machine.levels.begin(), machine.levels.end() - 1);
  machine.streams.clear();
  return machine;
}

Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, Caches caches) {
  const bool cold = caches == Caches::cold;
  Machine machine;
  if (peak_gflops > 0) machine.peak_gflops = peak_gflops;
  if (!runs_threads(target)) return machine;
  int64_t most_bytes = 0;
  for (const Region& region : regions) most_bytes = std::max(most_bytes, operand_bytes(region));
  std::vector<int64_t> capacities{target.l1_bytes, target.l2_bytes, target.l3_bytes,
                                  std::numeric_limits<int64_t>::max()};
  if (cold) most_bytes = capacities.back();
  const auto holds_all =
      std::ranges::find_if(capacities, [&](int64_t b) { return b >= most_bytes; });
  const auto num_levels = static_cast<size_t>(holds_all - capacities.begin()) + 1;
  on_timed_cores(target.name.threads, [&](ThreadPool& pool) {
    if (!machine.peak_gflops) machine.peak_gflops = measure_fma_gflops(pool);
    const std::vector<LevelBandwidth> levels = measure_bandwidth(pool, target, num_levels);
    for (size_t i = 0; i < levels.size(); ++i)
      machine.levels.push_back(
          {.capacity_bytes = capacities[i], .bytes_per_second = levels[i].read_bytes_per_second});
    if (!cold) measure_streams(pool, regions, machine);
  });
  return cold ? without_caches(std::move(machine)) : machine;
}

std::optional<double> nominal_gflops(const Region& region, const std::optional<double>& seconds) {
  const double flops = nominal_flops(region);
  return seconds && flops > 0 ? std::optional(flops / *seconds * 1e-9) : std::nullopt;
}

std::optional<double> percent_of_peak(const Machine& machine, const Region& region,
                                      const std::optional<double>& seconds) {
  const std::optional<double> gflops = nominal_gflops(region, seconds);
  if (!gflops || !machine.peak_gflops) return std::nullopt;
  return 100 * *gflops / *machine.peak_gflops;
}

std::optional<double> percent_of_roof(const Machine& machine, const Region& region,
                                      const Trace& trace, const std::optional<double>& seconds) {
  if (!seconds || !machine.peak_gflops || machine.levels.empty()) return std::nullopt;
  const int64_t bytes = operand_bytes(region);
  const auto holds = [&](const Machine::Level& level) { return level.capacity_bytes >= bytes; };
  const auto level = std::ranges::find_if(machine.levels, holds);
  if (level == machine.levels.end()) return std::nullopt;
  const double compute_seconds = algorithm_flops(region, trace) / (*machine.peak_gflops * 1e9);
  const Machine::Stream* stream = stream_of(machine, region);
  const double memory_seconds =
      static_cast<double>(bytes) /
      (stream != nullptr ? stream->bytes_per_second : level->bytes_per_second);
  return 100 * std::max(compute_seconds, memory_seconds) / *seconds;
}

}  // namespace dovetail
