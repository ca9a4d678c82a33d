// SPDX-License-Identifier: Apache-2.0
//
// decode: choices -> trace. Digits first (every axis is cut at R and R·M, a reduction at U and
// U·K), then layouts, which take some of the same cuts, then the loop order from the outside:
//
//   phases (unless in registers) ▸ outer digits (order.outer)
//     ▸ [top of the reduction, if kout] ▸ cache digits (order.cache)
//     ▸ reduction and windows (order.reduction) ▸ unrolled reduction
//     ▸ register rows ▸ register vectors ▸ lanes
#pragma once

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

Trace decode(const Structure& structure, const Target& target, const Choices& choices);

// Extent of each tiled axis and of the pure reduction rounded up to its tiles.
std::map<std::string, int64_t> padded_extents(const Structure& structure, const Choices& choices);

// Axes of `outer` whose loops may be permuted.
std::vector<std::string> movable_axes(const Structure& structure);

// Output axes in the `index`-th permutation; in permutation 0 `first` is outermost and the others
// follow as they are.
std::vector<std::string> permuted(const std::vector<std::string>& axes, const std::string& first,
                                  int64_t index);
// Index of the permutation that moves `front` outermost and leaves the others as they are in 0.
int64_t order_led_by(const std::string& front, const std::vector<std::string>& axes,
                     const std::string& first);

}  // namespace dovetail
