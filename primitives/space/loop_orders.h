// SPDX-License-Identifier: Apache-2.0
//
// Parameters of the loops' order, and of what depends on the order alone:
//
//   reduction_order  phase_order  outer_order  cache_order  rfactor  reduction_outside  (copies)
//   fuse  stores  prefetch.W
//
// They come after tiles and layouts, which they do not change. choices.h says what each value
// means.
#pragma once

#include <memory>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

void add_loop_orders(const std::shared_ptr<const Structure>& structure, const Target& target,
                     ParameterList& list);

// 0 to n - 1.
std::vector<int64_t> count_up_to(int64_t n);

// Whether some phases are loops; those of the other axes share the register tile.
bool has_phase_loops(const Structure& structure, const Choices& choices);
int64_t unrolled_phases(const Structure& structure, const Choices& choices);

}  // namespace dovetail
