// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/roof.h"

#include <algorithm>

#include "core/ir/region/work.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/algorithm/winograd.h"

namespace dovetail {
namespace {

// FLOPs that the algorithm executes, without the additions of Pairs, which overlap multiply-adds.
// None where the region has no such algorithm, as in a log that another version wrote.
std::optional<double> algorithm_flops(const Region& region, const Trace& trace) {
  if (!trace.algorithm) return real_tap_flops(region);
  if (const auto* pairs = std::get_if<algorithm::WinogradInnerProduct>(&*trace.algorithm)) {
    const auto of = static_cast<double>(pairs->of);
    return real_tap_flops(region) * (of - 1) / of;
  }
  if (const auto* split = std::get_if<algorithm::SplitFactors>(&*trace.algorithm))
    return real_tap_flops(region) * static_cast<double>(split->products);
  const auto stages = plan_stages(region, trace.algorithm);
  if (!stages) return std::nullopt;
  const auto product = std::ranges::find(*stages, kWinogradProduct, &PlannedStage::name);
  if (product == stages->end()) return std::nullopt;
  double multiply_adds = 1;
  for (const Axis& axis : product->computation.axes)
    multiply_adds *= static_cast<double>(axis.extent);
  return 2 * multiply_adds;
}

}  // namespace

Machine without_caches(Machine machine) {
  if (!machine.levels.empty())
    machine.levels.erase(machine.levels.begin(), machine.levels.end() - 1);
  machine.streams.clear();
  return machine;
}

const Machine::Stream* stream_of(const Machine& machine, const Region& region) {
  const int64_t written = written_bytes(region), read = operand_bytes(region) - written;
  const auto same = std::ranges::find_if(machine.streams, [&](const Machine::Stream& stream) {
    return stream.read_bytes == read && stream.written_bytes == written;
  });
  const bool moves_only = region.anchor.empty();
  return moves_only && same != machine.streams.end() ? &*same : nullptr;
}

std::optional<double> nominal_gflops(const Region& region, const std::optional<double>& seconds) {
  const double flops = nominal_flops(region);
  return seconds && flops > 0 ? std::optional(flops / *seconds * 1e-9) : std::nullopt;
}

std::optional<double> operand_gbytes_per_second(const Region& region,
                                                const std::optional<double>& seconds) {
  if (!seconds || !region.anchor.empty()) return std::nullopt;
  return static_cast<double>(operand_bytes(region)) / *seconds * 1e-9;
}

std::optional<double> percent_of_peak(const Machine& machine, const Region& region,
                                      const std::optional<double>& seconds) {
  if (!seconds || !machine.peak_gflops || region.anchor.empty()) return std::nullopt;
  return 100 * nominal_flops(region) / *seconds * 1e-9 / *machine.peak_gflops;
}

std::optional<double> percent_of_roof(const Machine& machine, const Region& region,
                                      const Trace& trace, const std::optional<double>& seconds) {
  if (!seconds || !machine.peak_gflops || machine.levels.empty()) return std::nullopt;
  const int64_t bytes = operand_bytes(region);
  const auto level = std::ranges::find_if(machine.levels, [&](const Machine::Level& one) {
    return !one.capacity_bytes || *one.capacity_bytes >= bytes;
  });
  const std::optional<double> flops = algorithm_flops(region, trace);
  if (level == machine.levels.end() || !flops) return std::nullopt;
  const double compute_seconds = *flops / (*machine.peak_gflops * 1e9);
  const Machine::Stream* stream = stream_of(machine, region);
  const double memory_seconds =
      static_cast<double>(bytes) /
      (stream != nullptr ? stream->bytes_per_second : level->bytes_per_second);
  return 100 * std::max(compute_seconds, memory_seconds) / *seconds;
}

}  // namespace dovetail
