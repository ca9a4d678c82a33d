// SPDX-License-Identifier: Apache-2.0
#pragma once

// Drafter: makes points by decisions of the actors of `ppo`, one parameter after another.
//
//   Drafter drafter(space, agent);
//   drafter.draw({nullptr, nullptr}, progress)   two points
//   drafter.draw({&point}, progress)             the layout of that point with other loops

#include <vector>

#include "primitives/space/space.h"
#include "search/agent/agent.h"

namespace dovetail {

// The state that the agent of `ppo` sees before it decides on a parameter: numbers near [-1, 1], as
// many for every operator and target, so that agents transfer between them.
//
//   StateEncoder encoder(space);
//   encoder.features(k, num_values, default_place, places, chosen, progress)   // for parameter k
//
// operator      log2 of multiply-adds, bytes, and their ratio
// target        log2 of lanes, registers, caches; whether it has work-groups
// parameter     its family (by its kind; layouts by their tensor), its axis' extent and whether
//               that is summed over, how many values it has, where the default stands among them
// decisions     of each family so far: the mean place in the domain that was chosen, and how many
// progress      trials so far, the best reward
//
// A change here invalidates the weights of saved agents: increment kStateVersion.

inline constexpr int kStateVersion = 1;
int state_size();

struct SearchProgress {
  double trials = 0;
  double best_reward = 0;
};

class StateEncoder {
 public:
  explicit StateEncoder(const Space& space);

  // The state before parameter `at`, which has `values` values. Of all earlier parameters, `places`
  // has the positions, in [0, 1], and `chosen` whether they were a choice.
  std::vector<float> features(size_t at, size_t values, double default_place,
                              const std::vector<double>& places, const std::vector<bool>& chosen,
                              const SearchProgress& progress) const;

 private:
  struct Role {
    size_t family = 0;
    float log_extent = 0;
    float is_summed = 0;
  };
  std::vector<float> task_;  // operator and target
  std::vector<Role> roles_;  // one for each parameter
};

inline constexpr int kNumPpoActors = 2;  // layouts and loops

// `ratio` is a time divided by the first trial's. The reward is the logarithm of the speed-up, 1
// for eight times as fast; a failure has the worst reward, and none is lower.
inline constexpr double kWorstPpoReward = -1;
double ppo_reward(double ratio);

struct Draft {
  Point point;
  std::vector<double> places;
  std::vector<bool> chosen;
  std::vector<Decision> layout, loops;
};

class Drafter {
 public:
  // Both must outlive the drafter.
  Drafter(const Space& space, Agent& agent);

  // Makes a draft for each base, in lockstep by parameter, so that the networks run on batches.
  // With a base that is not null, only loops are decided, and the layout is the base's.
  std::vector<Draft> draw(const std::vector<const Point*>& bases, const SearchProgress& progress);

  // The decisions that make this point, each with the middle of the actions that select its value.
  Draft retrace(const Point& point, const SearchProgress& progress) const;

 private:
  State state_of(size_t k, size_t values, const Draft& draft, const SearchProgress& progress) const;
  void decide(size_t k, const std::vector<const Point*>& bases, const SearchProgress& progress,
              std::vector<Draft>& drafts);

  static void take(const std::vector<int64_t>& domain, int64_t value, Draft& draft);

  const Space& space_;
  StateEncoder encoder_;
  Agent& agent_;
  std::vector<bool> is_loop_;
  std::vector<double> default_places_;
};

}  // namespace dovetail
