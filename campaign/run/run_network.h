// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_network: a model, node by node, so that anyone can compare its outputs with another engine's.
//
//   dovetail run resnet18.onnx --inputs in --outputs out      in/input_0.npy -> out/output_0.npy
//
// Each node runs as a region of its own (core/frontend/computations) with the best trace that the
// log has for it, or its default trace, and is checked against the reference on what it was given.
// No plan and no cache goes over from node to node: the sum of their times is no time of a network.

#include "campaign/run/run.h"

namespace dovetail {

// One row. Without `inputs`, real tensors get random numbers in [-1, 1) and others ones and zeros,
// which are indices and masks of every model. The error is a model that is wrong, or has nodes
// without a computation, which it lists.
Result<Run> run_network(const RunSpecOptions& options, const Listener& listener);

}  // namespace dovetail
