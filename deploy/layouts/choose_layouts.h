// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_layouts: of what each region of a graph could do, what is best for all of them together.
//
//   const LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces, both));
//   const LayoutChoice chosen = choose_layouts(parts, found, bytes_converted(parts));
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

// In any one unit.
struct LayoutCosts {
  std::function<double(size_t node, const LayoutAlternative&)> region;
  std::function<double(TensorId, const NormalLayout& from, const NormalLayout& to)> conversion;
};

// Nothing was measured: a conversion costs the bytes of its tensor, one inside a region half of
// them, and all traces cost the same.
LayoutCosts bytes_converted(const Partition& parts);

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

// Layouts chosen for the first trace of each task by the bytes that are converted.
Result<NetworkChoice> propagated(const Partition& parts, const Target& target,
                                 const TraceOfTask& trace_of,
                                 Propagation propagation = Propagation::both);

}  // namespace dovetail
