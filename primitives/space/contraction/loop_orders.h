// SPDX-License-Identifier: Apache-2.0
//
// Orders of loops: permutations by number, and the parameters that choose them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

// Orders of the output's axes, numbered: outer_order and cache_order are such numbers.

// Outer axes of the plan whose loops may be permuted.
std::vector<std::string> movable_axes(const ContractionPlan& plan);

// Output axes in the `index`-th permutation; permutation 0 has `first` outermost and the others in
// the given order.
std::vector<std::string> permuted(const std::vector<std::string>& axes, const std::string& first,
                                  int64_t index);
// Index of the permutation that moves `front` outermost and otherwise equals permutation 0.
int64_t order_led_by(const std::string& front, const std::vector<std::string>& axes,
                     const std::string& first);

// Adds the parameters of loop orders, and of choices that depend on the order alone:
//
//   reduction_order  phase_order  outer_order  cache_order  rfactor  reduction_outside  (copies)
//   fuse  stores  prefetch.W
//
// They follow tiles and layouts, which they do not change. choices.h documents their values.
void add_loop_orders(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                     ParameterList& list);

// 0 to n - 1.
std::vector<int64_t> count_up_to(int64_t n);

// Whether the reduction has a part outside the unrolled and the inner one.
bool has_top(const ContractionFacts& facts, const Choices& choices);
// Whether the phases of some axis are loops; those of the others are unrolled in the register tile.
bool has_phase_loops(const ContractionFacts& facts, const Choices& choices);
int64_t unrolled_phases(const ContractionFacts& facts, const Choices& choices);

}  // namespace dovetail
