// SPDX-License-Identifier: Apache-2.0
//
// ContractionPlan: a contraction, and what a generator wants of its loops. The common rule derives
// parameters, their decoding and the default from it:
//
//   direct/     a stage of its own, which may share the reduction among threads
//   pairs/      the unrolled part of the reduction is one group
//   winograd/   planes outermost; in a band the product is serial; weights made inside its loops
//   chains/     stages that run in rounds of another one are serial
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_facts.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

// Elements of the pure reduction that are unrolled together, `apart` from each other.
struct ReductionGroup {
  int64_t elements = 1, apart = 1;
  bool shares_values = false;  // vectors of a tile share the values of X
};

struct ContractionPlan {
  ContractionFacts facts;
  std::string stage = {};         // its name; empty: no other stage may run inside
  int64_t max_vectors = 4;        // in the widest register tile
  bool sums_in_parts = true;      // threads add to sums in the output: f16 is too narrow
  bool shares_reduction = false;  // outputs are too few for the target's threads
  bool serial = false;            // runs inside another stage, or others run inside it
  bool inputs_are_made = false;   // by stages before, in the layouts chosen here: no copy pads them
  bool layouts_are_fixed = false;           // as frameworks store tensors
  std::vector<std::string> outermost = {};  // output axes whose loops stay outside all others
  std::string made_inside = {};  // the weights, where a stage inside the loops makes them by parts
  std::optional<ReductionGroup> group = {};
};

// Shares ownership of the plan.
inline std::shared_ptr<const ContractionFacts> facts_of(
    const std::shared_ptr<const ContractionPlan>& plan) {
  return {plan, &plan->facts};
}

// Parameters that a generator puts among those of the common rule, where they see what they read.
struct OwnParameters {
  std::function<void(ParameterList&)> after_cache_tiles = {}, after_inner_part = {};
};

// The parameters with their domains: the table is in choices.h, sizes and reasons in parameters.cc.
std::vector<Parameter> derive_parameters(const std::shared_ptr<const ContractionPlan>& plan,
                                         const Target& target, const OwnParameters& own = {});

// Candidate register tile sizes of one axis, regardless of the others: multiples of the vector on
// the vector axis, 1 … 14 elsewhere, because 7 rows fit 56 better than 8. Sizes that pad the axis
// by more than a quarter are left out, unless it merges dims.
std::vector<int64_t> register_sizes(const ContractionPlan& plan, const std::string& axis);

// Layouts and loops split every axis at its register tile and its cache tile, a reduction at its
// unrolled and its inner part. The loop order, outermost first:
//
//   phases (unless in registers) ▸ outer digits (outer_order)
//     ▸ [top of the reduction, if reduction_outside] ▸ cache digits (cache_order)
//     ▸ reduction and windows (reduction_order) ▸ unrolled reduction
//     ▸ register rows ▸ register vectors ▸ lanes
Trace decode(const ContractionPlan& plan, const Target& target, const Choices& choices);

}  // namespace dovetail
