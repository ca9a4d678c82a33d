// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `ppo`: two actors, one for data layouts and one for loops, decide one parameter
// after another and learn from measurements.
//
// Z. Xu, J. Xu, H. Peng, W. Wang, X. Wang, H. Wan, H. Dai, Y. Xu, H. Cheng, K. Wang, G. Chen: ALT:
// Breaking the Wall between Data Layout and Loop Optimizations for Deep Learning Compilation.
// EuroSys 2023 (section 5: the joint stage, then the loop-only stage).
//
//   joint stage       the layout actor makes a layout; the loop space is rebuilt for it; the loop
//                     actor explores it some times; the layout's reward is its best loops'
//   loop-only stage   the best layouts so far stay, and only loops are explored
//
// An action a in (0, 1) selects the value at that position in the parameter's domain. The paper's
// R(D·a) is the nearest feasible factor, but domains are not evenly spaced. Where a parameter has
// an off_percent, that part of (0, 1) selects its value `off`. With a cost model, more loops are
// explored than measured: the model picks. Differences from the paper: the reward is the logarithm
// of the speed-up over the first measurement (`linear=1`: U - latency, in units of the first);
// sizes that layouts and loops have in common are the layout actor's.

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
