// SPDX-License-Identifier: Apache-2.0
#pragma once

// fuse_epilogues: elementwise nodes that follow a complex operator join it.
//
//   conv = c2d:… (x, w) -> t;  add = Add (t, shortcut) -> u;  relu = Relu (u) -> y
//   becomes   conv = c2d:…+add+relu (x, w, shortcut) -> y
//
// A node joins when it alone reads the operator's output and the output is no output of the graph:
//   Add of a constant with one value a channel (or one)      +bias, if there is none yet
//   Add of a tensor of the same shape                      +add, if there is none yet
//   Relu, Clip with constant bounds, Sigmoid, Tanh         +relu +clip(lo,hi) +sigmoid +tanh
//   x * Sigmoid(x)                                         +silu
//   BatchNormalization with constants                      into constant weights and the bias
// An Add of two operators' outputs goes to the operator with more work: a residual block's
// last convolution rather than its 1x1 shortcut. Joining moves an operator to the place of the node
// that it takes in, so that all it reads has been written.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

Result<void> fuse_epilogues(Graph& graph);

}  // namespace dovetail
