// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkTotal: a network's time as the sum of its operators' times, each as often as it runs.
//
//   network_total(header.layers, times_of)      of two nodes of 3 us and one of 4 us: 10 us
//   print(*total)      "3 nodes of the network: 0.015 ms by default, 0.01 ms tuned (1.50 times as
//                      fast)"
//
// Untuned nodes and time between operators are left out, so that it is a lower bound of the
// network's time.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "core/record/line/caches.h"
#include "core/record/line/fields.h"
#include "core/record/line/log_header.h"

namespace dovetail {

struct TaskTimes {
  std::optional<double> default_seconds = {}, seconds = {};
};

struct NetworkTotal {
  int64_t nodes = 0;
  int64_t nodes_without_time = 0;
  Caches caches = Caches::hot;  // state in which the operators were timed
  std::optional<double> default_seconds = 0.0, seconds = 0.0;  // none: a node has no time
};
auto fields_of(Of<NetworkTotal> auto& total) {
  return std::tuple(
      Field{"nodes", total.nodes}, Field{"nodes_without_time", total.nodes_without_time},
      unless_empty("caches", total.caches), Field{"default_seconds", total.default_seconds},
      Field{"seconds", total.seconds});
}
std::string print(const NetworkTotal& total);

// None where no layer belongs to a network.
std::optional<NetworkTotal> network_total(
    std::span<const Layer> layers,
    const std::function<TaskTimes(const std::string& spec)>& times_of, Caches caches = Caches::hot);

}  // namespace dovetail
