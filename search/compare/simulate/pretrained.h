// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pretraining of a cost model, or of an agent of `ppo`, on other operators than the one at hand: a
// comparison with it measures how much learning transfers to a new task.
//
//   spaces_without(first_nine, "c2d")                        the spaces of the other operators
//   TRY(pretrained_agent(others, {.trials = 3200})).agent    nothing of a c2d
//   TRY(pretrained_model(first_nine, "c2d", {}))             likewise
//
// A model is trained on random points of each space with their times, one boosted model for all
// spaces (costmodel/saved_model.h). An agent is trained in rounds over all spaces: the actors draw
// layouts and loops for each, the measured tables have their times at once, and one update learns
// from all spaces together, so that no space is learnt at the cost of the others. A reward is that
// of the strategy (`ppo_reward`, in speed-ups over the default trace), so that the critic's
// expectations hold in a campaign. Deterministic: no device and no clock; the same spaces, options
// and seed give the same weights.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "costmodel/saved_model.h"
#include "search/agent/saved_agent.h"
#include "search/compare/simulate/simulated_space.h"

namespace dovetail {

struct AgentPretraining {
  double imitated = 0.01;  // share of each space, the fastest points, that are imitated first
  int passes = 20;         // over the imitated points
  int64_t trials = 3200;   // per space
  uint64_t seed = 0;
  int hidden = 64;      // width of the networks' layers
  int layouts = 8;      // per space and round
  int loops = 4;        // per layout
  int fresh_every = 8;  // rounds until a space's progress is reset, as for a new task
  double learning_rate = 1e-3;
  double entropy = 1e-2;
  int epochs = 4;  // passes over the episodes of a round
  int minibatch = 512;
  std::function<bool()> interrupted = [] { return false; };  // asked at each step of learning
};

// A share tells how fast the points drawn of a space are: the mean of the space's optimum over
// their time, 0 for a failure.
struct PretrainedTask {
  std::string task;
  int64_t trials = 0;
  double first_share = 0;  // in the first rounds
  double last_share = 0;   // in the last
};

struct PretrainedAgent {
  SavedAgent agent;
  std::vector<PretrainedTask> tasks;
  bool interrupted = false;  // before the trials were spent: of no use
};

Result<PretrainedAgent> pretrained_agent(std::span<const SimulatedSpace* const> spaces,
                                         const AgentPretraining& options);

// All spaces but those of the operator `without`, which a spec begins with ("c2d"); "": all.
std::vector<const SimulatedSpace*> spaces_without(
    std::span<const std::unique_ptr<SimulatedSpace>> spaces, std::string_view without);

struct PretrainingOptions {
  size_t points = 400;  // per space
  uint64_t seed = 0;
  std::function<bool()> interrupted = [] { return false; };  // asked at each point
};

// `without`: an operator's name, as in a spec. Fails if there is no other operator's space.
// Interrupted: trained on the points so far, or fails.
Result<SavedModel> pretrained_model(std::span<const std::unique_ptr<SimulatedSpace>> spaces,
                                    std::string_view without, const PretrainingOptions& options);

// "c2d" for "c2d:n=1,…".
std::string_view operator_of(std::string_view spec);

}  // namespace dovetail
