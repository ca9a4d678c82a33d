// SPDX-License-Identifier: Apache-2.0
//
// Bounds that always hold vanish, and with one that never does the whole selection:
//
//   for h in 0..4   (0 <= h + 3 < 9 and 0 <= h + k < 9) ? …   ->   (0 <= h + k < 9) ? …
#pragma once

#include "core/ir/program.h"

namespace dovetail {

Program simplify_bounds(const Program& program);

}  // namespace dovetail
