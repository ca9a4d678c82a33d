// SPDX-License-Identifier: Apache-2.0
//
// keep_small_whole: a kernel that one thread has done before a second one is under way is not
// shared among threads.
//
//   kernel D                                             kernel D
//     for a.0 in 0..8 parallel                             for a.0 in 0..8
//       for a.1 in 0..16 vectorized                ->        for a.1 in 0..16 vectorized
//         D[a.0, a.1] = 0.125*A[a.0, a.1]                      D[a.0, a.1] = 0.125*A[a.0, a.1]
//
// Waking a thread and waiting for it takes 0.1 us and more (core/runtime/thread_pool.h): the masks
// of BERT-tiny, 0.04 us of one thread, took 0.18 of two. Only the very small are kept, because
// elements lie in the caches of the core that made them: with a limit of a microsecond, the scaling
// of BERT-tiny's scores took 2.7 us of one thread instead of 1.3 of two, and ShuffleNet-V2 was 9 %
// slower.
//
// Why here and not in the search: nothing is to be traded, and what decides can be counted.
#pragma once

#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

// Operations of one thread, those of a vector's lanes as one. What is hoisted out of a loop counts
// as often as the loop runs.
double vector_steps(const Kernel& kernel, const Target& target);

// Programs of one thread and of devices are left as they are.
Program keep_small_whole(Program program, const Target& target);

}  // namespace dovetail
