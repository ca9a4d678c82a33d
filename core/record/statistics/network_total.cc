// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/network_total.h"

#include <fmt/format.h>

namespace dovetail {
namespace {

void add(std::optional<double>& sum, const std::optional<double>& seconds, int64_t nodes) {
  if (!sum || !seconds) return sum.reset();
  *sum += *seconds * static_cast<double>(nodes);
}

// In the unit of the tables' rows that it stands under.
std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  return us < 1000 ? fmt::format("{:.4g} us", us) : fmt::format("{:.0f} us", us);
}

}  // namespace

std::optional<NetworkTotal> network_total(
    std::span<const Layer> layers,
    const std::function<TaskTimes(const std::string& spec)>& times_of, Caches caches) {
  NetworkTotal total{.caches = caches};
  for (const Layer& layer : layers) {
    if (layer.nodes == 0) continue;
    const TaskTimes times = times_of(layer.spec);
    total.nodes += layer.nodes;
    if (!times.seconds) total.nodes_without_time += layer.nodes;
    add(total.seconds, times.seconds, layer.nodes);
    add(total.default_seconds, times.default_seconds, layer.nodes);
  }
  if (total.nodes == 0) return std::nullopt;
  return total;
}

std::string print(const NetworkTotal& total) {
  if (!total.seconds) {
    return fmt::format("{} of the network's {} nodes have no time yet", total.nodes_without_time,
                       total.nodes);
  }
  const std::string caches =
      total.caches == Caches::hot ? "" : fmt::format(" ({} caches)", print(total.caches));
  std::string text = fmt::format("{} nodes of the network{}: ", total.nodes, caches);
  if (!total.default_seconds) return text + microseconds(*total.seconds);
  return text + fmt::format("{} by default, {} tuned ({:.2f} times as fast)",
                            microseconds(*total.default_seconds), microseconds(*total.seconds),
                            *total.default_seconds / *total.seconds);
}

}  // namespace dovetail
