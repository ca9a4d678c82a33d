// SPDX-License-Identifier: Apache-2.0
//
// Bounds that always hold vanish, and with one that never does the whole selection:
//
//   for h in 0..4   (0 <= h + 3 < 9 and 0 <= h + k < 9) ? …   ->   (0 <= h + k < 9) ? …
//
// and with a clipped loop's bound that never holds the loop. A product with a factor that is left
// as 0 adds nothing, and is no statement any more:
//
//   acc += ((9 <= h < 12) ? X[h] : 0) * W[h]   ->   nothing
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

Program simplify_bounds(Program program);
Block simplify_bounds(Block body);  // of one kernel

}  // namespace dovetail
