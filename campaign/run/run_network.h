// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_network: a model as one network: layouts between its regions, memory planned, code linked.
//
//   dovetail run resnet18.onnx --inputs in --outputs out      in/input_0.npy -> out/output_0.npy
//
// Each region runs with the best trace that the log has for it, or its default trace. The network
// runs twice: call by call, each checked against the reference on what it was given, and then as a
// whole, which must give the same outputs to the bit and is timed.

#include "campaign/run/run.h"

namespace dovetail {

// One row. Without `inputs`, real tensors get random numbers in [-1, 1) and others ones and zeros,
// which are indices and masks of every model. The error is a model that is wrong, or has nodes
// without a computation, which it lists.
Result<Run> run_network(const RunSpecOptions& options, const Listener& listener);

}  // namespace dovetail
