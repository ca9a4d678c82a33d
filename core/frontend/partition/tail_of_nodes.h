// SPDX-License-Identifier: Apache-2.0
#pragma once

// with_tail: an operator that computes the nodes behind it, too.
//
//   c = c2d:ci=4,co=4,h=8,w=8,k=3+bias (x, w, b) -> t;  g = HardSwish (t) -> u;  y = Add (u, r)
//   becomes
//   c = c2d:ci=4,co=4,h=8,w=8,k=3+bias+tail(@*min(max(@/6+0.5,0),1)+A[n,o,h,w]) (x, w, b, r) -> t
//
// Values are put into one another as they are, so that any node with a NodeValue joins: what makes
// it slow or wrong is looked at here and nowhere else. A tensor between the nodes that rounds or
// wraps what it stores is not left out, nor is one read in another shape than the output's.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// The nodes stand in the graph's order, read the operator's output or one another's, and nobody
// else reads these but for the last one's. Nothing where an operator cannot have such a tail. The
// result still writes the tensor that the anchor wrote. The error is node_region()'s.
Result<std::optional<GraphNode>> with_tail(const Graph& graph, const GraphNode& anchor,
                                           const std::vector<const GraphNode*>& nodes);

}  // namespace dovetail
