// SPDX-License-Identifier: Apache-2.0
#pragma once

// Agent: learns by proximal policy optimization which numbers in (0, 1) lead to fast programs. It
// knows nothing of layouts and loops: a state is a vector of features, an action a fraction.
//
//   const auto agent = TRY(load_agent({.state_size = 24, .actors = 2, .seed = 7}));
//   std::vector<Decision> made = agent->decide({{.actor = 0, .state = features}});
//   ...the nearest feasible factor to made[0].action is taken; in the end a program is measured...
//   agent->learn({{.decisions = made, .reward = 0.8}});
//
// As in ALT (EuroSys'23, section 5.2): one actor for layouts and one for loops, each with weights
// of its own, and one critic that all of them share; the reward comes when all decisions of an
// episode are made. PPO is that of J. Schulman et al. 2017 (arXiv 1707.06347), with generalized
// advantage estimation. Parameters that the paper leaves open are options below.
//
// The interface hides the networks because LibTorch takes 0.3 s and 160 MB to load: it is linked by
// a library of its own that is loaded when a strategy asks for an agent.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct AgentOptions {
  int state_size = 0;  // features of a state
  int actors = 1;
  uint64_t seed = 0;
  int hidden = 64;               // width of the two hidden layers of every network
  double learning_rate = 1e-3;   // step size for Adam
  double clip = 0.2;             // bounds the policies' probability ratio to 1 +- this
  double discount = 1;           // per decision; 1: the reward counts fully for all of an episode
  double trace_decay = 0.95;     // lambda of generalized advantage estimation
  double entropy_weight = 0.01;  // in the loss: keeps a policy from settling early
  double value_weight = 0.5;     // in the loss, for the critic's error
  double most_gradient = 0.5;    // gradients of a larger norm are scaled down
  int epochs = 6;                // passes over the episodes per update
  int minibatch = 128;           // decisions per step of Adam
  // Asked before each step: true ends learning and imitating at once. None: never.
  std::function<bool()> interrupted = {};
};

struct State {
  int actor = 0;
  std::vector<float> features;
};

struct Decision {
  State state;
  double action = 0.5;         // in (0, 1)
  double log_probability = 0;  // logarithm of its density when it was taken
  double value = 0;            // reward that the critic expected
};

struct Episode {
  std::vector<Decision> decisions;
  double reward = 0;
};

class Agent {
 public:
  virtual ~Agent() = default;
  // One decision for each state, drawn from its actor's policy: a Beta distribution, which has no
  // mass outside (0, 1) (Chou, Maturana, Scherer: ICML 2017).
  virtual std::vector<Decision> decide(std::span<const State> states) = 0;
  virtual void learn(std::span<const Episode> episodes) = 0;
  // Makes these actions likely in their states, and the critic expect their `value`, in `passes`
  // passes over all of them. Returns the mean log density in the last one.
  virtual double imitate(std::span<const Decision> decisions, int passes) = 0;
  // The weights of all networks in a row; they give an agent of the same sizes the same policies
  // and critic. The optimizer's state is left out: its moments are of other rewards.
  virtual std::vector<float> weights() const = 0;
  virtual Result<void> set_weights(std::span<const float> weights) = 0;
};

// Fails in a build without LibTorch, which has no agent.
Result<void> agent_available();
// Fails for invalid options, and in a build without an agent.
Result<std::unique_ptr<Agent>> load_agent(const AgentOptions& options);

}  // namespace dovetail
