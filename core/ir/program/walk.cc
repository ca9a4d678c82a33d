// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/walk.h"

#include <algorithm>
#include <iterator>

namespace dovetail {

bool is_over_work_items(const Loop& loop) {
  return loop.kind == LoopKind::bound && loop.thread >= ThreadAxis::thread_0;
}

void append(Block& block, Block more) { std::ranges::move(more, std::back_inserter(block)); }

}  // namespace dovetail
