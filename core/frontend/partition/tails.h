// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/frontend/joining.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// Elementwise nodes that follow an operator with a spec join it.
//
//   conv = c2d:… (x, w) -> t;  add = Add (t, shortcut) -> u;  relu = Relu (u) -> y
//   becomes   conv = c2d:…+add+relu (x, w, shortcut) -> y
//
// A node joins when it alone reads the operator's output and the output is no output of the graph:
//   Add of a constant with one value a channel (or one)    +bias, if there is none yet
//   Add of a tensor of the same shape                      +add, if there is none yet
//   Relu, Clip with constant bounds, Sigmoid, Tanh         +relu +clip(lo,hi) +sigmoid +tanh
//   Gelu, but for its approximation by tanh                +gelu
//   x * Sigmoid(x)                                         +silu
// An Add of two operators' outputs goes to the operator with more work: a residual block's
// last convolution rather than its 1x1 shortcut. Joining moves an operator to the place of the node
// that it takes in, so that all it reads has been written.
Result<JoinedNodes> join_tails(Graph& graph);

}  // namespace dovetail
