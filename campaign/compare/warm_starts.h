// SPDX-License-Identifier: Apache-2.0
#pragma once

// WarmStarts: what the arms of a simulated comparison that are `@warm` begin with: cost models and
// agents trained on the spaces of --train-on, without the operator at hand. Each is made once, and
// all repeats on all spaces of that operator share it.

#include <map>
#include <span>
#include <string>

#include "campaign/compare/compare_options.h"
#include "campaign/compare/measured_spaces.h"
#include "costmodel/saved_model.h"
#include "search/agent/saved_agent.h"

namespace dovetail {

struct WarmStarts {
  // Gives null where the arm begins with nothing.
  const SavedModel* model(const Arm& arm, const SimulatedSpace& space) const;
  const SavedAgent* agent(const Arm& arm, const SimulatedSpace& space) const;

  // By the operator that is left out.
  std::map<std::string, SavedModel, std::less<>> models;
  // By the width of its layers and the operator that is left out.
  std::map<std::pair<int, std::string>, SavedAgent> agents;
};

bool is_warm_model(const Arm& arm);

Result<WarmStarts> warm_starts(const CompareOptions& options, std::span<const Arm> arms,
                               const SimulatedSpaces& spaces, const Listener& listener);

}  // namespace dovetail
