// SPDX-License-Identifier: Apache-2.0
#pragma once

// Drafter: points as the actors of `ppo` decide them, one parameter after another.
//
//   Drafter drafter(space, agent);
//   drafter.draw({nullptr, nullptr}, progress)   two points
//   drafter.draw({&point}, progress)             the layout of that point with other loops

#include <vector>

#include "search/agent/agent.h"
#include "search/strategies/ppo/ppo_state.h"

namespace dovetail {

inline constexpr int kNumPpoActors = 2;  // of layouts, of loops

// Of a time by the first trial's: the logarithm of the speed-up, 1 for eight times as fast; and of
// a failure.
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
  // Both outlive it.
  Drafter(const Space& space, Agent& agent);

  // A draft each, all at once parameter by parameter, so that the networks see batches; of one with
  // a base only the loops are decided, its layout is the base's.
  std::vector<Draft> draw(const std::vector<const Point*>& bases, const SearchProgress& progress);

  // The decisions that make this point, each with the middle of the actions that choose its value.
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
