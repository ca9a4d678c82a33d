// SPDX-License-Identifier: Apache-2.0
//
// Time to move bytes, by distance. Default rules decide by it, without measuring, whether fusing
// stages into rounds of one kernel pays.
//
//   saved      the intermediate tensor, which would be written and read back
//   paid       weights that every round but the first reads again
//
// Three constants suffice instead of a model: the forms differ severalfold, and a search corrects
// wrong decisions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ir/target.h"

namespace dovetail {

// Whether bytes that are written and read again go through memory. A shared L3 counts as half its
// size.
inline bool leaves_caches(int64_t bytes, const Target& target) {
  return bytes > std::max(target.l2_bytes, target.l3_bytes / 2);
}

// Microseconds, measured on a Zen 5.
inline double round_trip_microseconds(int64_t bytes, const Target& target) {
  constexpr double kThroughMemory = 50, kThroughL3 = 3.2;  // per MiB
  const double rate = leaves_caches(bytes, target) ? kThroughMemory : kThroughL3;
  return rate * static_cast<double>(bytes) / (1 << 20);
}

// Assumes that weights come from L3 each time.
inline double reread_microseconds(int64_t weight_bytes, int64_t times) {
  constexpr double kFromL3 = 6;  // per MiB
  return kFromL3 * static_cast<double>(weight_bytes) / (1 << 20) * static_cast<double>(times);
}

}  // namespace dovetail
