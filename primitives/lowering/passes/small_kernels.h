// SPDX-License-Identifier: Apache-2.0
//
// serialize_small_kernels: a kernel that one thread finishes before a second one has started is
// made serial.
//
//   kernel D                                             kernel D
//     for a.0 in 0..8 parallel                             for a.0 in 0..8
//       for a.1 in 0..16 vectorized                ->        for a.1 in 0..16 vectorized
//         D[a.0, a.1] = 0.125*A[a.0, a.1]                      D[a.0, a.1] = 0.125*A[a.0, a.1]
//
// Waking a thread and waiting for it takes 0.1 us and more (core/runtime/thread_pool.h): the masks
// of BERT-tiny took 0.04 us on one thread, 0.18 on two. Only very small kernels become serial,
// because elements are in the caches of the core that computed them: with a limit of a microsecond,
// the scaling of BERT-tiny's scores took 2.7 us on one thread instead of 1.3 on two, and
// ShuffleNet-V2 was 9 % slower.
//
// Why here and not in the search: there is no trade-off, and the cost can be counted.
#pragma once

#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

// Operations on one thread; a vector operation counts once. An operation that is hoisted out of a
// loop counts as often as the loop runs.
double vector_steps(const Kernel& kernel, const Target& target);

// Leaves programs for one thread and for devices as they are.
Program serialize_small_kernels(Program program, const Target& target);

}  // namespace dovetail
