// SPDX-License-Identifier: Apache-2.0
//
// Bytes cost time by how far they move. Default rules say by that, without measuring, whether
// stages are worth running in rounds of one kernel.
//
//   saved      what lies between two stages and would be written and read back
//   paid       weights that every round but the first reads again
//
// Why three numbers and no model: they decide between forms that differ by factors, and a search
// corrects what they get wrong.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ir/target.h"

namespace dovetail {

// Bytes that are written and read again go through memory and back. A third-level cache that others
// use, too, behaves like half of it.
inline bool leaves_caches(int64_t bytes, const Target& target) {
  return bytes > std::max(target.l2_bytes, target.l3_bytes / 2);
}

// Microseconds, measured on a Zen 5.
inline double round_trip_microseconds(int64_t bytes, const Target& target) {
  constexpr double kThroughMemory = 50, kThroughL3 = 3.2;  // a megabyte
  const double rate = leaves_caches(bytes, target) ? kThroughMemory : kThroughL3;
  return rate * static_cast<double>(bytes) / (1 << 20);
}

// Weights come from the third-level cache each time.
inline double reread_microseconds(int64_t weight_bytes, int64_t times) {
  constexpr double kFromL3 = 6;  // a megabyte
  return kFromL3 * static_cast<double>(weight_bytes) / (1 << 20) * static_cast<double>(times);
}

}  // namespace dovetail
