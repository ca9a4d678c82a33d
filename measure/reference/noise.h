// SPDX-License-Identifier: Apache-2.0
#pragma once

// SplitMix64 as a function of the position: the same numbers on every machine, in any order.

#include <cstdint>

namespace dovetail {

inline uint64_t noise(uint64_t stream, uint64_t position) {
  uint64_t z = (stream + position) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace dovetail
