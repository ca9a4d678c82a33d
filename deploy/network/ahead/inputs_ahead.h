// SPDX-License-Identifier: Apache-2.0
#pragma once

// inputs_ahead: kernels that ask the caches for the rows of the network's inputs that they come to.
//
//   for e in 0..3                          for e in 0..3
//     for f in 0..3                   ->     for f in 0..3 prefetch x[e, 2*b + f + 5, 18*c] lines 2
//       … += W * x[e, 2*b + f - 1, …]          … += W * x[e, 2*b + f - 1, 18*c + 2*d + g]
//
// An input comes from memory: since the last run the network has read all of its weights. A
// convolution reads a few elements of each of many rows at a time, which no hardware follows; what
// it reads with vectors, row by row, the hardware follows by itself.
//
// MobileNet-V2's first block (Zen 5, one thread, cold): 300 us with planes as they are given and
// 185 asking for them; 171 hot, with and without. Converted to channels innermost beforehand, 16
// for that and 173.
//
// Why in the network and in no trace: only here is it known which tensor is an input.

#include "core/ir/network/network_program.h"
#include "core/ir/target.h"

namespace dovetail {

// Computes the same. On a device it is the network as it was.
NetworkProgram inputs_ahead(NetworkProgram network, const Target& target);

}  // namespace dovetail
