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
// advantage estimation. What the paper does not say is an option below.
//
// Why an interface without a network in it: LibTorch takes 0.3 s and 160 MB to load, so it lives in
// a library of its own that is loaded when a strategy asks for an agent.

#include <cstdint>
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
  double learning_rate = 1e-3;   // of Adam
  double clip = 0.2;             // how far the new policy's ratio to the old may count
  double discount = 1;           // per decision: the reward belongs to all of an episode
  double trace_decay = 0.95;     // lambda of generalized advantage estimation
  double entropy_weight = 0.01;  // in the loss: keeps a policy from settling early
  double value_weight = 0.5;     // of the critic's loss
  double most_gradient = 0.5;    // norm beyond which gradients are scaled down
  int epochs = 6;                // passes over the episodes of an update
  int minibatch = 128;           // decisions in a step of Adam
};

struct State {
  int actor = 0;
  std::vector<float> features;
};

struct Decision {
  State state;
  double action = 0.5;         // in (0, 1)
  double log_probability = 0;  // its density, when it was taken
  double value = 0;            // the reward that the critic expected
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
  // Makes these actions likely where they were taken, and the critic expect their `value`: so many
  // passes over all of them. Gives the mean log density of the last.
  virtual double imitate(std::span<const Decision> decisions, int passes) = 0;
  // The weights of all networks, one after another, for an agent of the same sizes: it decides
  // and expects the same. The optimizer's state stays behind: its moments are of other rewards.
  virtual std::vector<float> weights() const = 0;
  virtual Result<void> set_weights(std::span<const float> weights) = 0;
};

// An error where this build has no agent: it was configured without LibTorch.
Result<void> agent_available();
// The error says what is wrong with the options, or that this build has no agent.
Result<std::unique_ptr<Agent>> load_agent(const AgentOptions& options);

}  // namespace dovetail
