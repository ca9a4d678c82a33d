// SPDX-License-Identifier: Apache-2.0
//
// Bounds that always hold vanish, and with one that never does the whole selection; divisions inside a
// bound vanish:
//
//   0 <= (f div 3) - 3 < 224 ? …   ->   9 <= f < 681 ? …          so that neighbouring lanes f
//   share one mask
#pragma once

#include "core/ir/program.h"

namespace dovetail {

Program simplify_bounds(const Program& program);

}  // namespace dovetail
