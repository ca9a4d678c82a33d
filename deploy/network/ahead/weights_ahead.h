// SPDX-License-Identifier: Apache-2.0
#pragma once

// weights_ahead: kernels that ask the caches for what the next ones read of constants.
//
//   call conv17 …                       computes 259 us, in which memory has nothing to do
//     for o in 0..20                    ->   for o in 0..20 prefetch ahead.0[1280*o] lines 64 far
//   call conv18 W                       1.6 MB of weights, which are there by now
//
// A network has more weights than the caches hold, and kernels that multiply leave memory idle. So
// every call asks, evenly over its loops, for the constants of the call behind it, as many bytes as
// come while it multiplies; what is more is asked for by the calls before it.
//
// Why in the network and in no trace: what comes next is the network's, and a kernel that was timed
// alone gains nothing by it. After facts on rolling weights in decision 0031.

#include "core/ir/network/network_program.h"
#include "core/ir/target.h"

namespace dovetail {

// Computes the same. On a device it is the network as it was.
NetworkProgram weights_ahead(const NetworkProgram& network, const Target& target);

}  // namespace dovetail
