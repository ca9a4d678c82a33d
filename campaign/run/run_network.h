// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_network: runs a model as one network: layouts chosen, memory planned, code linked.
//
//   dovetail run resnet18.onnx --inputs in --outputs out      in/input_0.npy -> out/output_0.npy
//
// Each region runs with the best trace that the log has for it, or its default trace. The network
// runs twice: call by call, each checked against the reference on its actual inputs, and then as a
// whole, which must give the same outputs to the bit and is timed.

#include "campaign/run/run.h"

namespace dovetail {

// One row per variant. Without `inputs`, real tensors get random numbers in [-1, 1) and others ones
// and zeros, which are valid indices and masks of every model. Fails on an invalid model, and on
// nodes without a computation, which the error lists.
Result<Run> run_network(const RunSpecOptions& options, const Listener& listener);

}  // namespace dovetail
