// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkTotal: what a network takes by the times of its operators, each as often as it runs it.
//
//   network_total(header.layers, times_of)      of two nodes of 3 us and one of 4 us: 10 us
//   print(*total)      "3 nodes of the network: 0.015 ms by default, 0.01 ms tuned (1.50 times as
//                      fast)"
//
// It leaves out what is not tuned and what lies between operators, so that it bounds the network's
// time from below.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/record/line/caches.h"
#include "core/record/line/log_header.h"

namespace dovetail {

struct TaskTimes {
  std::optional<double> default_seconds = {}, seconds = {};
};

struct NetworkTotal {
  int64_t nodes = 0;
  int64_t nodes_without_time = 0;
  Caches caches = Caches::hot;                                 // in which the operators were timed
  std::optional<double> default_seconds = 0.0, seconds = 0.0;  // none: a node has none
};
std::string print(const NetworkTotal& total);
std::string json_text(const NetworkTotal& total);  // one object

// Gives nothing where no layer is of a network.
std::optional<NetworkTotal> network_total(
    std::span<const Layer> layers,
    const std::function<TaskTimes(const std::string& spec)>& times_of, Caches caches = Caches::hot);

}  // namespace dovetail
