// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the agent of `ppo` sees before it decides on a parameter: numbers near [-1, 1], as many for
// every operator and target, so that what was learnt on one serves another.
//
//   StateEncoder encoder(space);
//   encoder.features(points, k, progress)      before parameter k of a point is chosen
//
// operator      log2 of multiply-adds, bytes, and their ratio
// target        log2 of lanes, registers, caches; whether it has work-groups
// parameter     its family (by its kind; layouts by their tensor), its axis' extent and whether
//               that is summed over, how many values it has, where the default stands among them
// decisions     of each family so far: the mean place in the domain that was chosen, and how many
// progress      trials so far, the best reward
//
// What is changed here makes of a saved agent's weights something else: count kStateVersion up.

#include <vector>

#include "primitives/space/space.h"

namespace dovetail {

inline constexpr int kStateVersion = 1;
int state_size();

struct SearchProgress {
  double trials = 0;
  double best_reward = 0;
};

class StateEncoder {
 public:
  explicit StateEncoder(const Space& space);  // outlives it

  // Before parameter `at`, which has `values` values: `places` of all earlier ones are set, in
  // [0, 1], and `chosen` says which of them were a choice.
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
  std::vector<Role> roles_;  // of each parameter
};

}  // namespace dovetail
