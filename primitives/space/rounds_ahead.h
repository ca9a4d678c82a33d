// SPDX-License-Identifier: Apache-2.0
//
// The values of the parameter double_buffer: for how many rounds ahead a group loads its copies of
// operands while a round computes.
//
//   0   none: the copy is loaded, and then used
//   1   the next round's, through registers
//   2…  as many rounds' by asynchronous copies, where the device has them
//
// One more copy of each tile than rounds is in local memory (double_buffer in loop/caching.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr const char* kRoundsAheadMeaning =
    "rounds whose copies are loaded while a round computes; of more than one asynchronously";

// A space's values, but none.
inline std::vector<int64_t> rounds_ahead(const Target& target) {
  if (copies_asynchronously(target)) return {1, 2, 3};
  return {1};
}

}  // namespace dovetail
