// SPDX-License-Identifier: Apache-2.0
//
// Adds a stage's cache hints to the finished nest of its kernel: non-temporal stores of the output,
// and prefetches of data that a loop will read. Stages inside another one have theirs, too: loops
// have the names of the kernel.
//
//   prefetch(tensor=W, at=i.0, distance=2):
//
//   for i.0 in 0..32               for i.0 in 0..32 prefetch W[o.0, i.0 + 2, 0, 0] lines 8
//     for i.1 in 0..16       ->      for i.1 in 0..16
//       … W[o.0, i.0, i.1, o.1]        … W[o.0, i.0, i.1, o.1]
//
// Loops inside start at 0; the lines are those that one iteration reads, at most 8 of each load and
// at most 32 in all. With of=o.0 they are those of o.0 + 2, and where loops between the two read
// the same again, each of their iterations prefetches its share.
#pragma once

#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

Block with_cache_hints(Block block, const Stage& stage,
                       const std::vector<ScheduledTensor>& tensors);

}  // namespace dovetail
