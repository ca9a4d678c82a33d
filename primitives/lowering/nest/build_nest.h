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
// cache_write creates the registers; without it the sum accumulates in the output itself. With a
// reduction loop outside the tile, it starts from the partial sum in the output. A stage without
// reduction loops stores its value at once.
//
// A stage that is attached to one of these loops becomes the start of the loop's body, with its
// tile; primitives/lowering/nest/attached_stages.h has the drawing.
#pragma once

#include <span>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// `attached`: the other stages of the kernel, with the names of attached_stages.h.
Result<Block> build_nest(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
                         std::span<const Stage> attached = {});

// Whether build_nest would succeed, with nothing attached; or its error.
Result<void> check_nest(const Stage& stage, const std::vector<ScheduledTensor>& tensors);

}  // namespace dovetail
