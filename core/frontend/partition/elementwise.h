// SPDX-License-Identifier: Apache-2.0
#pragma once

// join_elementwise: fuses chains of elementwise nodes into one node, which reads and writes memory
// once.
//
//   norm = elementwise BatchNormalization {…} (x, scale, shift, mean, variance) -> t
//   relu = elementwise Relu (t) -> y
//   becomes
//   norm = elementwise Written {region="Y[…]=relu((A[…]-D[a1])*rsqrt(…)*B[a1]+C[a1]):…"}
//              (x, scale, shift, mean, variance) -> y
//
// A node joins its producer if it is the only reader, reads element for element, and both compute
// real numbers. The fused node takes the place of the last one, so that all of its inputs are
// computed before it, and holds its computation as the text of a region: the graph can be printed
// and parsed again, and a user's graph may have such nodes, too.
//
// Why it is not a choice of a search space: storing a tensor for the next kernel to load is never
// faster, on any target. Nodes that follow an operator with a spec have joined it before (tails.h).

#include "core/base/result.h"
#include "core/frontend/joining.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// Adds the names of absorbed nodes to `joined`. Fails as node_region() does.
Result<void> join_elementwise(Graph& graph, JoinedNodes& joined);

}  // namespace dovetail
