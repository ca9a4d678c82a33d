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
// A node joins when it alone reads the operator's output and the output is no output of the graph.
// Epilogues with a name keep it, because logs are keyed by it:
//   Add of a constant with one value a channel (or one)    +bias, if there is none yet
//   Add of a tensor of the same shape                      +add, if there is none yet
//   Relu, Clip with constant bounds, Sigmoid, Tanh         +relu +clip(lo,hi) +sigmoid +tanh
//   Gelu, but for its approximation by tanh                +gelu
//   x * Sigmoid(x)                                         +silu
// Every other node that computes a value of each element joins as that value, +tail(…), and so do
// all that follow it (tail_of_nodes.h, core/ir/operator/tail.h):
//   conv = c2d:…;  HardSwish    becomes   conv = c2d:…+tail(@*min(max(@/6+0.5,0),1))
// Several nodes join together where they all lie on ways from the operator to the last of them:
// x * Tanh(Softplus(x)) is one value, however an exporter writes it. Without `values`, only what
// has a name joins, as it was before tails were values: logs of that time have those regions.
// An Add of two operators' outputs goes to the operator with more work: a residual block's
// last convolution rather than its 1x1 shortcut. Joining moves an operator to the place of the node
// that it takes in, so that all it reads has been written.
Result<JoinedNodes> join_tails(Graph& graph, bool values = true);

}  // namespace dovetail
