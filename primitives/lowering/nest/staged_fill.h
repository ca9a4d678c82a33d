// SPDX-License-Identifier: Apache-2.0
//
// StagedFill: a fill of a local tile on its way through registers, so that its loads are in flight
// while the round before it computes.
//
//   for u in 0..6                        registers W.cache.next[6, 4]
//     for l in 0..4 vectorized           for u in 0..6 unrolled
//       W.cache[…] = W[…]                  for l in 0..4 vectorized
//                                 ->         W.cache.next[u, l] = W[…]
//                                        … use of the other copy …
//                                        for u in 0..6 unrolled
//                                          for l in 0..4 vectorized
//                                            W.cache[…] = W.cache.next[u, l]
//
// Why: a work-item that stores at once what it has loaded waits for the load, and so it computes
// nothing meanwhile. An H100 took 55.6 us instead of 80.4 for 1024 x 1024 x 1024.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ir/program/program.h"

namespace dovetail {

// Elements of a tile that a work-item holds in registers at a time.
inline constexpr int64_t kMostStagedElements = 64;

struct StagedFill {
  Block loads;   // declares the registers
  Block stores;  // into the tile
};

// `type`: of the registers. nullopt for a fill that is more than plain loops around stores to the
// tile, or whose elements are more than kMostStagedElements: it is left as it is.
std::optional<StagedFill> through_registers(const Block& fill, const std::string& tile,
                                            ElementType type);

}  // namespace dovetail
