// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_layouts: picks one alternative for each region of a graph, at the least total cost.
//
//   const LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces, both));
//   const LayoutChoice chosen = choose_layouts(parts, found, logged_costs(parts, found));
//   lower_network(parts, target, trace_of, chosen.network)
//
// The cost is the regions' times plus a conversion for each tensor whose producer and consumer use
// different layouts, minimized over the graph (deploy/layouts/pbqp.h). A conversion that two
// consumers share is counted twice, though it runs once.

#include <functional>
#include <string>
#include <vector>

#include "deploy/layouts/alternatives.h"

namespace dovetail {

struct LayoutCosts {  // all in one unit
  std::function<double(size_t node, const LayoutAlternative&)> region;
  std::function<double(TensorId, const NormalLayout& from, const NormalLayout& to)> conversion;
};

// Seconds from a log. A trace costs its time beyond the fastest one's; without a time it is
// excluded if another trace has one. A conversion costs its tensor's bytes at a fixed rate, one
// inside a region half of that; all else is free. The result refers to both arguments.
LayoutCosts logged_costs(const Partition& parts, const LayoutAlternatives& alternatives);

// The same without a log: default traces only, and layouts with the least conversions.
LayoutCosts default_costs(const Partition& parts, const LayoutAlternatives& alternatives);

struct LayoutChoice {
  std::vector<size_t> picked;  // index among each region's alternatives
  NetworkChoice network;
  double cost = 0;
  bool is_exact = true;  // proven optimal
};

LayoutChoice choose_layouts(const Partition& parts, const LayoutAlternatives& alternatives,
                            const LayoutCosts& costs);

// The cost of the alternatives with these indices.
double cost_of(const Partition& parts, const LayoutAlternatives& alternatives,
               const LayoutCosts& costs, const std::vector<size_t>& picked);

// Traces and layouts chosen by logged_costs(). With one trace per task, this minimizes conversions.
Result<NetworkChoice> propagated(const Partition& parts, const Target& target,
                                 const TracesOfTask& traces_of,
                                 Propagation propagation = Propagation::both);

}  // namespace dovetail
