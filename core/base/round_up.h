// SPDX-License-Identifier: Apache-2.0
#pragma once

// round_up: the least multiple of a number that is not below another.
//
//   round_up(13, 8) == 16      round_up(16, 8) == 16
//
// Of a value near 2^63 nothing is added that the result does not have.

#include <cstdint>

namespace dovetail {

inline int64_t round_up(int64_t value, int64_t multiple) {
  const int64_t rest = value % multiple;
  return rest == 0 ? value : value + (multiple - rest);
}

}  // namespace dovetail
