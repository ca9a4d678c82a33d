// SPDX-License-Identifier: Apache-2.0
//
// One stage -> one kernel's nest:
//
//   outer loops
//     registers acc[…]
//     for tile loops { acc = 0 }
//     for all inner loops { acc += X·W }
//     for tile loops { Y = epilogue(acc) }
//
// The registers are what cache_write asks for; without it the sum lives in the output itself. With
// a reduction loop outside the tile, it starts from the partial sum in the output. A stage without
// reduction loops stores its value at once.
#pragma once

#include "core/base/result.h"
#include "core/ir/program.h"
#include "core/ir/schedule.h"

namespace dovetail {

Result<Block> build_nest(const Stage& stage, const std::vector<ScheduledTensor>& tensors);

}  // namespace dovetail
