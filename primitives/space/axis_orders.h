// SPDX-License-Identifier: Apache-2.0
//
// Orders of the output's axes by number: what outer_order and cache_order count through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "primitives/space/structure.h"

namespace dovetail {

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
