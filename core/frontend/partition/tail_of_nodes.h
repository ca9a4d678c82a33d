// SPDX-License-Identifier: Apache-2.0
#pragma once

// with_tail: fuses the nodes after an operator into its tail.
//
//   c = c2d:ci=4,co=4,h=8,w=8,k=3+bias (x, w, b) -> t;  g = HardSwish (t) -> u;  y = Add (u, r)
//   becomes
//   c = c2d:ci=4,co=4,h=8,w=8,k=3+bias+tail(@*min(max(@/6+0.5,0),1)+A[n,o,h,w]) (x, w, b, r) -> t
//
// Values are substituted into one another, so that any node with a NodeValue can join; all checks
// of cost and correctness are here. A tensor between the nodes is not eliminated if it rounds or
// wraps the values stored to it, or is read in another shape than the output's.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// `nodes`: in the graph's order, reading the operator's output or one another's, which have no
// other readers except for the last one's. nullopt if the operator cannot have such a tail. The
// result still writes the anchor's output. Fails as node_region() does.
Result<std::optional<GraphNode>> with_tail(const Graph& graph, const GraphNode& anchor,
                                           const std::vector<const GraphNode*>& nodes);

}  // namespace dovetail
