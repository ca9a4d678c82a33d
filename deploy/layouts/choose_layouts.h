// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_layouts: of what each region of a graph could do, what is best for all of them together.
//
//   const LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces, both));
//   const LayoutChoice chosen = choose_layouts(parts, found, logged_costs(parts, found));
//   lower_network(parts, target, trace_of, chosen.network)
//
// A region costs what it takes, and a tensor that one region makes otherwise than another one is
// given it costs a conversion; the sum over the graph is least (deploy/layouts/pbqp.h). Two regions
// that ask for one conversion are counted twice, and run it once.

#include <functional>
#include <string>
#include <vector>

#include "deploy/layouts/alternatives.h"

namespace dovetail {

struct LayoutCosts {  // in any one unit
  std::function<double(size_t node, const LayoutAlternative&)> region;
  std::function<double(TensorId, const NormalLayout& from, const NormalLayout& to)> conversion;
};

// Seconds by what a log says: a trace costs what it takes beyond the fastest one, and is out of the
// question without a time where another one has it; a conversion costs a rate for the bytes of its
// tensor, one inside a region half of that; nothing is known of all else. Both outlive it.
LayoutCosts logged_costs(const Partition& parts, const LayoutAlternatives& alternatives);

// The same without a log: default traces, and layouts that need the least conversions.
LayoutCosts default_costs(const Partition& parts, const LayoutAlternatives& alternatives);

struct LayoutChoice {
  std::vector<size_t> picked;  // of each region's alternatives
  NetworkChoice network;
  double cost = 0;
  bool is_exact = true;  // nothing costs less
};

LayoutChoice choose_layouts(const Partition& parts, const LayoutAlternatives& alternatives,
                            const LayoutCosts& costs);

// What these alternatives cost, by their numbers.
double cost_of(const Partition& parts, const LayoutAlternatives& alternatives,
               const LayoutCosts& costs, const std::vector<size_t>& picked);

// Traces and layouts chosen by logged_costs(): of one trace a task, the layouts that need the least
// conversions.
Result<NetworkChoice> propagated(const Partition& parts, const Target& target,
                                 const TracesOfTask& traces_of,
                                 Propagation propagation = Propagation::both);

}  // namespace dovetail
