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
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primitives/space/contraction/contraction_facts.h"

namespace dovetail {

// Elements of the pure reduction that are unrolled together, `apart` from each other.
struct ReductionGroup {
  int64_t elements = 1, apart = 1;
  bool shares_values = false;  // vectors of a tile share the values of X
};

struct ContractionPlan {
  ContractionFacts facts;
  std::string stage = {};                   // its name; empty: no other stage may run inside
  int64_t max_vectors = 4;                  // of the widest register tile
  bool sums_in_parts = true;                // the output can hold partial sums: f16 is too narrow
  bool shares_reduction = false;            // outputs are too few for the target's threads
  bool serial = false;                      // runs inside another stage, or others run inside it
  std::vector<std::string> outermost = {};  // output axes whose loops stay outside all others
  std::string made_inside = {};  // the weights, where a stage inside the loops makes them by parts
  std::optional<ReductionGroup> group = {};
};

// Shares ownership of the plan.
inline std::shared_ptr<const ContractionFacts> facts_of(
    const std::shared_ptr<const ContractionPlan>& plan) {
  return {plan, &plan->facts};
}

}  // namespace dovetail
