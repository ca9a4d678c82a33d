// SPDX-License-Identifier: Apache-2.0
#pragma once

// pretrained_model: what a cost model begins with that has seen other operators, and not the one at
// hand.
//
//   const SavedModel model = TRY(pretrained_model(first_nine, "c2d", {}));   // nothing of a c2d
//
// From each of the measured spaces but those of that operator some random points with their times;
// one boosted model of all (costmodel/saved_model.h). So a comparison says what learning from other
// tasks is worth for one that is new.

#include <span>
#include <string_view>

#include "costmodel/saved_model.h"
#include "search/compare/simulate/simulated_space.h"

namespace dovetail {

struct PretrainingOptions {
  size_t points = 400;  // of each space
  uint64_t seed = 0;
};

// `without`: an operator's name, as its spec begins. An error when nothing else is there.
Result<SavedModel> pretrained_model(std::span<const std::unique_ptr<SimulatedSpace>> spaces,
                                    std::string_view without, const PretrainingOptions& options);

// c2d of c2d:n=1,…
std::string_view operator_of(std::string_view spec);

}  // namespace dovetail
