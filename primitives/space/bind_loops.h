// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"

namespace dovetail {

// Binds loops, outermost first, to the device axes of which `innermost` is number 0: the last of
// them to it. Beyond three the outermost are fused. Returns the names of the bound loops.
//
//   a, b, c, d to group_0     fuse(a, b) ; bind(a_b, group.2) ; bind(c, group.1) ; bind(d, group.0)
std::vector<std::string> bind_loops(std::vector<std::string> loops, ThreadAxis innermost,
                                    std::vector<LoopPrimitive>& list);

}  // namespace dovetail
