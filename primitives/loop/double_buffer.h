// SPDX-License-Identifier: Apache-2.0
//
// double_buffer(tensor): keep two copies of what cache_read copies; the next round's is made before
// this round's is used, so that the device can do both at once.
//
//   for i.0 in 0..4                             local W.cache[2, 256]
//     barrier                                   W.cache[0, …] = W[0, …]
//     local W.cache[256]                        for i.0 in 0..3
//     W.cache[…] = W[i.0, …]             ->       barrier
//     barrier                                     W.cache[(i.0 + 1) mod 2, …] = W[i.0 + 1, …]
//     acc += X[…] * W.cache[…]                    acc += X[…] * W.cache[i.0 mod 2, …]
//                                               barrier
//                                               acc += X[…] * W.cache[1, …]
//
// The last round is written apart, as it makes nothing; one barrier a round is enough.
// Requires: 1) the tensor is one that this stage copies with a cache_read before; 2) only once;
// when the stage's line is done 3) the loop of the cache_read is serial, with at least two rounds.
// Inverse: none.
// Elsewhere: double_buffer (TVM), software pipelining (inject_software_pipeline).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::DoubleBuffer& double_buffer, const Stage& stage);

}  // namespace dovetail
