// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of default loops: primitives that are legal by construction, applied to a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// CHECKs that they are legal.
Stage with_legal_loops(const Stage& stage, std::vector<LoopPrimitive> loops);

// Vectorizes the innermost loop by `width`, which divides it; 1: leaves it as it is.
Stage vectorized_innermost(const Stage& stage, int64_t width);

// Default vector width of an axis: the target's lanes where they divide its extent; else its
// largest divisor that is at most twice as wide, 1 where there is none.
int64_t default_vector_width(int64_t extent, int64_t lanes);

}  // namespace dovetail
