// SPDX-License-Identifier: Apache-2.0
#pragma once

// WarmStarts: the cost models and agents that `@warm` arms of a simulated comparison start from,
// trained on the spaces of --train-on without the operator at hand. Each is trained once and shared
// by all repeats on all spaces of that operator.

#include <map>
#include <optional>
#include <span>
#include <string>

#include "campaign/compare/compare_options.h"
#include "campaign/compare/measured_spaces.h"
#include "costmodel/saved_model.h"
#include "search/agent/saved_agent.h"

namespace dovetail {

struct WarmStarts {
  // The pointer is null if the arm has no warm start.
  const SavedModel* model(const Arm& arm, const SimulatedSpace& space) const;
  const SavedAgent* agent(const Arm& arm, const SimulatedSpace& space) const;

  // By the operator left out.
  std::map<std::string, SavedModel, std::less<>> models;
  // By layer width and the operator left out.
  std::map<std::pair<int, std::string>, SavedAgent> agents;
};

bool is_warm_model(const Arm& arm);

// None if interrupted.
Result<std::optional<WarmStarts>> warm_starts(const CompareOptions& options,
                                              std::span<const Arm> arms,
                                              const SimulatedSpaces& spaces,
                                              const Listener& listener);

}  // namespace dovetail
