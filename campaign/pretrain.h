// SPDX-License-Identifier: Apache-2.0
#pragma once

// pretrain: trains a PPO agent on measured spaces, as a warm start for campaigns.

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "search/compare/simulate/pretrained.h"

namespace dovetail {

struct PretrainOptions {
  std::vector<std::string> spaces;             // files, their folders, or folders of such folders
  int64_t trials = AgentPretraining().trials;  // per space
  int64_t hidden = AgentPretraining().hidden;  // width of the networks' layers
  std::string without;                         // operator to leave out; empty: none
  uint64_t seed = 0;
  std::string output;
};

// Writes the agent's file, unless interrupted. Errors: bad input or file I/O.
Result<PretrainedAgent> pretrain(const PretrainOptions& options, const Listener& listener);

}  // namespace dovetail
