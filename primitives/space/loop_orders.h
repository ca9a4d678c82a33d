// SPDX-License-Identifier: Apache-2.0
//
// Orders of loops: permutations by number, and the parameters that choose them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

// Orders of the output's axes by number: what outer_order and cache_order count through.

// Axes of `outer` whose loops may be permuted.
std::vector<std::string> movable_axes(const Structure& structure);

// Output axes in the `index`-th permutation; in permutation 0 `first` is outermost and the others
// follow as they are.
std::vector<std::string> permuted(const std::vector<std::string>& axes, const std::string& first,
                                  int64_t index);
// Index of the permutation that moves `front` outermost and leaves the others as they are in 0.
int64_t order_led_by(const std::string& front, const std::vector<std::string>& axes,
                     const std::string& first);

// Parameters of the loops' order, and of what depends on the order alone:
//
//   reduction_order  phase_order  outer_order  cache_order  rfactor  reduction_outside  (copies)
//   fuse  stores  prefetch.W
//
// They come after tiles and layouts, which they do not change. choices.h says what each value
// means.
void add_loop_orders(const std::shared_ptr<const Structure>& structure, const Target& target,
                     ParameterList& list);

// 0 to n - 1.
std::vector<int64_t> count_up_to(int64_t n);

// Whether some phases are loops; those of the other axes share the register tile.
bool has_phase_loops(const Structure& structure, const Choices& choices);
int64_t unrolled_phases(const Structure& structure, const Choices& choices);

}  // namespace dovetail
