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
// A node joins if it is the only reader of the operator's output, which is no output of the graph.
// Epilogues with a name keep it, because logs are keyed by it:
//   Add of a constant with one value a channel (or one)    +bias, if there is none yet
//   Add of a tensor of the same shape                      +add, if there is none yet
//   Relu, Clip with constant bounds, Sigmoid, Tanh         +relu +clip(lo,hi) +sigmoid +tanh
//   Gelu, except its approximation by tanh                 +gelu
//   x * Sigmoid(x)                                         +silu
// Every other elementwise node joins as a value, +tail(…), and so do all nodes after it
// (tail_of_nodes.h, core/ir/operator/tail.h):
//   conv = c2d:…;  HardSwish    becomes   conv = c2d:…+tail(@*min(max(@/6+0.5,0),1))
// Several nodes join together if all are on paths from the operator to the last of them:
// x * Tanh(Softplus(x)) is one value, however an exporter writes it. Without `values`, only named
// epilogues join, as they did before tails were values: logs of that time have those regions.
// An Add of two operators' outputs joins the operator with more work: a residual block's last
// convolution rather than its 1x1 shortcut. Joining moves an operator to the place of the node
// that it absorbs, so that all of its inputs are computed before it.
Result<JoinedNodes> join_tails(Graph& graph, bool values = true);

}  // namespace dovetail
