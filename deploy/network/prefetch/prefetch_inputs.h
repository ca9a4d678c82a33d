// SPDX-License-Identifier: Apache-2.0
#pragma once

// prefetch_inputs: adds prefetches of the network's inputs to the kernels that read them.
//
//   for e in 0..3                          for e in 0..3
//     for f in 0..3                   ->     for f in 0..3 prefetch x[e, 2*b + f + 5, 18*c] lines 2
//       … += W * x[e, 2*b + f - 1, …]          … += W * x[e, 2*b + f - 1, 18*c + 2*d + g]
//
// An input comes from memory: since the last run the network has read all of its weights. A
// convolution reads a few elements of many rows at a time, which hardware prefetchers do not
// follow; they do follow vector reads along a row.
//
// MobileNet-V2's first block (Zen 5, one thread, cold): 300 us with planar inputs, 185 with
// prefetches; 171 hot, either way. Converting to channels innermost first takes 16, and the block
// then 173.
//
// Why in the network and not in a trace: only the network knows which tensor is an input.

#include "core/ir/network/network_program.h"
#include "core/ir/target.h"

namespace dovetail {

// Computes the same. For a device, the network is returned unchanged.
NetworkProgram prefetch_inputs(NetworkProgram network, const Target& target);

}  // namespace dovetail
