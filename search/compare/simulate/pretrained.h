// SPDX-License-Identifier: Apache-2.0
#pragma once

// A pretrained cost model, or agent of `ppo`, has seen other operators and not the one at hand; a
// comparison that begins with it says what learning from other tasks is worth for a new one.
//
//   spaces_without(first_nine, "c2d")                        the spaces of the other operators
//   TRY(pretrained_agent(others, {.trials = 3200})).agent    nothing of a c2d
//   TRY(pretrained_model(first_nine, "c2d", {}))             likewise
//
// For a model: of each space some random points with their times; one boosted model of all
// (costmodel/saved_model.h). For an agent, rounds go over all spaces: the actors draw layouts and
// loops for each, the measured tables say at once how fast they are, and one update learns from all
// spaces together, so that what is good on one alone is not learnt at the cost of the others. A
// reward is that of the strategy (`ppo_reward`, in speed-ups over the default trace): what the
// critic expects then holds in a campaign. No device, and no clock: the same spaces, options and
// seed give the same weights.

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
  int passes = 20;         // over them
  int64_t trials = 3200;   // of each space
  uint64_t seed = 0;
  int hidden = 64;      // width of the networks' layers
  int layouts = 8;      // drawn of a space, a round
  int loops = 4;        // of each layout
  int fresh_every = 8;  // rounds, then a space is a task that nothing is known of again
  double learning_rate = 1e-3;
  double entropy = 1e-2;
  int epochs = 4;  // passes over the episodes of a round
  int minibatch = 512;
  std::function<bool()> interrupted = {};  // asked before each round; none: never
};

// A share says how fast what was drawn of a space is, against its fastest: it is the mean of
// optimum over own time.
struct PretrainedTask {
  std::string task;
  int64_t trials = 0;
  double first_share = 0;  // in the first rounds
  double last_share = 0;   // in the last
};

struct PretrainedAgent {
  SavedAgent agent;
  std::vector<PretrainedTask> tasks;
  bool interrupted = false;  // before the trials were spent
};

Result<PretrainedAgent> pretrained_agent(std::span<const SimulatedSpace* const> spaces,
                                         const AgentPretraining& options);

// It leaves out the spaces of the operator, which a spec begins with ("c2d"); "": none.
std::vector<const SimulatedSpace*> spaces_without(
    std::span<const std::unique_ptr<SimulatedSpace>> spaces, std::string_view without);

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
