// SPDX-License-Identifier: Apache-2.0
#pragma once

// round_up: the least multiple of `multiple` that is at least `value`, for values of at least 0.
//
//   round_up(13, 8) == 16      round_up(16, 8) == 16
//
// No intermediate value exceeds the result, so that values near 2^63 do not overflow.

#include <cstdint>

namespace dovetail {

inline int64_t round_up(int64_t value, int64_t multiple) {
  const int64_t rest = value % multiple;
  return rest == 0 ? value : value + (multiple - rest);
}

}  // namespace dovetail
