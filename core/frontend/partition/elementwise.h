// SPDX-License-Identifier: Apache-2.0
#pragma once

// join_elementwise: elementwise nodes behind one another become one, which reads and writes memory
// once.
//
//   norm = elementwise BatchNormalization {…} (x, scale, shift, mean, variance) -> t
//   relu = elementwise Relu (t) -> y
//   becomes
//   norm = elementwise Written {region="Y[…]=relu((A[…]-D[a1])*rsqrt(…)*B[a1]+C[a1]):…"}
//              (x, scale, shift, mean, variance) -> y
//
// A node joins the one before it when it alone reads its output, element for element, and both
// compute real numbers. The joined node stands where the last of them stood, so that all that it
// reads has been written, and says what it computes as the text of a region: a graph can be printed
// and read again, and a user's graph may have such nodes, too.
//
// Why it is no choice of a space: a kernel that stores what the next one loads again is never
// faster, on any target. Nodes that follow an operator with a spec have joined it before
// (tails.h).

#include "core/base/result.h"
#include "core/frontend/joining.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// Names of nodes that others took in are added to `joined`. The error is node_region()'s.
Result<void> join_elementwise(Graph& graph, JoinedNodes& joined);

}  // namespace dovetail
