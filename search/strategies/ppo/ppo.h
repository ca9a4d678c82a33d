// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `ppo`: two actors decide one parameter after another, one where data lie, one how
// loops run over them, and learn from what was measured.
//
// Z. Xu, J. Xu, H. Peng, W. Wang, X. Wang, H. Wan, H. Dai, Y. Xu, H. Cheng, K. Wang, G. Chen: ALT:
// Breaking the Wall between Data Layout and Loop Optimizations for Deep Learning Compilation.
// EuroSys 2023 (section 5: the joint stage, then the loop-only stage).
//
//   joint stage       the layout actor makes a layout; the loop space is rebuilt for it; the loop
//                     actor explores it some times; the layout's reward is its best loops'
//   loop-only stage   the best layouts so far stay, and only loops are explored
//
// An action a in (0, 1) becomes the value at that place of the parameter's domain, as in the paper
// (R(D·a), the nearest feasible factor) but by the value's position, because domains are not evenly
// spaced; what random samples leave out mostly (off_percent) takes as large a part of (0, 1).
// With a cost model, more loops are explored than measured: the model picks. What differs from the
// paper, or is not in it: the reward is the logarithm of the speed-up over the first measurement
// (`linear=1`: U - latency, in its units); the sizes that layouts and loops have in common are the
// layout actor's.

#include "search/strategies/strategies.h"

namespace dovetail {

struct PpoOptions {
  int64_t joint = 300;
  int64_t loops = 4;
  int64_t explored = 4;
  int64_t kept = 3;
  double epsilon = 0;
  int64_t linear = 0;
  double upper = 2;
  int64_t hidden = 64;
  double learning_rate = 5e-3;
  double clip = 0.2;
  double entropy = 1e-3;
  int64_t epochs = 30;
};
std::vector<OptionField> fields_of(PpoOptions& options);
AgentShape ppo_shape(const PpoOptions& options);

}  // namespace dovetail
