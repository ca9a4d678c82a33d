// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkTotal: a network's time as the sum of its operators' times, each as often as it runs.
//
//   network_totals(header.layers, times_of)     of two nodes of 3 us and one of 4 us: 10 us
//   print(totals)      "3 regions of the network: 15 us by default, 10 us tuned (1.50 times as
//                      fast)"
//
// Where a campaign tuned several networks, each has a line with its name, and all have a last one:
//
//   23 regions of resnet18.onnx: 123 us by default, 120 us tuned (1.02 times as fast)
//   37 regions of bert.onnx: 35.8 us by default, 35.5 us tuned (1.01 times as fast)
//   60 regions of 2 networks: 159 us by default, 156 us tuned (1.02 times as fast)
//
// It is an estimate: time between operators is left out, and each was timed alone.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/record/line/caches.h"
#include "core/record/line/fields.h"
#include "core/record/line/log_header.h"

namespace dovetail {

struct TaskTimes {
  std::optional<double> default_seconds = {}, seconds = {};
};

struct NetworkTotal {
  std::string model = {};  // its name; empty: the campaign tuned no other
  int64_t nodes = 0;
  int64_t nodes_without_time = 0;
  Caches caches = Caches::hot;  // state in which the operators were timed
  std::optional<double> default_seconds = 0.0, seconds = 0.0;  // none: a node has no time
  friend bool operator==(const NetworkTotal&, const NetworkTotal&) = default;
};
auto fields_of(Of<NetworkTotal> auto& total) {
  return std::tuple(unless_empty("model", total.model), Field{"nodes", total.nodes},
                    Field{"nodes_without_time", total.nodes_without_time},
                    Field{"caches", total.caches}, Field{"default_seconds", total.default_seconds},
                    Field{"seconds", total.seconds});
}
// The networks of one campaign, a line each; "" without one.
std::string print(std::span<const NetworkTotal> networks);

// The networks that the layers belong to, in their order.
std::vector<NetworkTotal> network_totals(
    std::span<const Layer> layers,
    const std::function<TaskTimes(const std::string& spec)>& times_of, Caches caches = Caches::hot);

// Fields of JSON: `network` of a single one, `networks` of several.
inline auto network_fields(const std::vector<NetworkTotal>& networks) {
  const bool is_one = networks.size() == 1;
  return std::tuple(unless_empty("network", is_one ? std::optional(networks[0]) : std::nullopt),
                    unless_empty("networks", is_one ? std::vector<NetworkTotal>() : networks));
}

// The name of each model that layers name, by its file: "bert.onnx" for build/models/bert.onnx; the
// whole path where another's file has the same name.
std::map<std::string, std::string> model_names(std::span<const Layer> layers);

}  // namespace dovetail
