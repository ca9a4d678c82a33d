// SPDX-License-Identifier: Apache-2.0
#pragma once

// prefetch_weights: adds prefetches of the constants that the next calls read.
//
//   call conv17 …                       computes 259 us, in which memory has nothing to do
//     for o in 0..20                    ->   for o in 0..20 prefetch ahead.0[1280*o] lines 64 far
//   call conv18 W                       1.6 MB of weights, which are there by now
//
// A network has more weights than the caches hold, and kernels that multiply leave memory idle. So
// each call prefetches, evenly over its loops, the constants of the next call, as many bytes as
// arrive while it multiplies; earlier calls prefetch the rest.
//
// Why in the network and not in a trace: only the network knows the next call, and a kernel that is
// timed alone gains nothing. Based on facts on rolling weights in decision 0031.

#include "core/ir/network/network_program.h"
#include "core/ir/target.h"

namespace dovetail {

// Computes the same. For a device, the network is returned unchanged.
NetworkProgram prefetch_weights(const NetworkProgram& network, const Target& target);

}  // namespace dovetail
