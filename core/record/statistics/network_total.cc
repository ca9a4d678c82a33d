// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/network_total.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"

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

void add(NetworkTotal& total, const TaskTimes& times, int64_t nodes) {
  total.nodes += nodes;
  if (!times.seconds) total.nodes_without_time += nodes;
  add(total.seconds, times.seconds, nodes);
  add(total.default_seconds, times.default_seconds, nodes);
}

NetworkTotal sum_of(std::span<const NetworkTotal> networks) {
  NetworkTotal sum{.model = fmt::format("{} networks", networks.size()),
                   .caches = networks.front().caches};
  for (const NetworkTotal& network : networks) {
    sum.nodes += network.nodes;
    sum.nodes_without_time += network.nodes_without_time;
    add(sum.seconds, network.seconds, 1);
    add(sum.default_seconds, network.default_seconds, 1);
  }
  return sum;
}

std::string line_of(const NetworkTotal& total) {
  const std::string network = total.model.empty() ? "the network" : total.model;
  if (!total.seconds) {
    return fmt::format("{} of {} regions of {} have no time yet", total.nodes_without_time,
                       total.nodes, network);
  }
  const std::string caches =
      total.caches == Caches::hot ? "" : fmt::format(" ({} caches)", print(total.caches));
  const std::string text =
      fmt::format("{} of {}{}: ", counted(total.nodes, "region"), network, caches);
  if (!total.default_seconds) return text + microseconds(*total.seconds);
  return text + fmt::format("{} by default, {} tuned ({:.2f} times as fast)",
                            microseconds(*total.default_seconds), microseconds(*total.seconds),
                            *total.default_seconds / *total.seconds);
}

}  // namespace

std::string print(std::span<const NetworkTotal> networks) {
  std::string text;
  for (const NetworkTotal& network : networks) text += line_of(network) + "\n";
  if (networks.size() > 1) text += line_of(sum_of(networks)) + "\n";
  return text;
}

std::map<std::string, std::string> model_names(std::span<const Layer> layers) {
  const auto file_of = [](const std::string& model) {
    return std::filesystem::path(model).filename().string();
  };
  std::map<std::string, std::string> names;
  for (const Layer& layer : layers)
    if (!layer.model.empty()) names.emplace(layer.model, file_of(layer.model));
  std::map<std::string, int> uses;
  for (const auto& [model, name] : names) ++uses[name];
  for (auto& [model, name] : names)
    if (uses[name] > 1) name = model;
  return names;
}

std::vector<NetworkTotal> network_totals(
    std::span<const Layer> layers,
    const std::function<TaskTimes(const std::string& spec)>& times_of, Caches caches) {
  std::map<std::string, std::string> names = model_names(layers);
  std::vector<NetworkTotal> networks;
  for (const Layer& layer : layers) {
    if (layer.nodes == 0) continue;
    const std::string& name = names[layer.model];
    auto network = std::ranges::find(networks, name, &NetworkTotal::model);
    if (network == networks.end())
      network = networks.insert(networks.end(), {.model = name, .caches = caches});
    add(*network, times_of(layer.spec), layer.nodes);
  }
  return networks;
}

}  // namespace dovetail
