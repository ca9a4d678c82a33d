// SPDX-License-Identifier: Apache-2.0
#pragma once

// pretrain: trains an agent of ppo on measured spaces, for campaigns to begin with.

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "search/compare/simulate/pretrained.h"

namespace dovetail {

struct PretrainOptions {
  std::vector<std::string> spaces;             // files, or folders of folders with one each
  int64_t trials = AgentPretraining().trials;  // of each space
  int64_t hidden = AgentPretraining().hidden;  // width of the networks' layers
  std::string without;                         // operator to leave out; empty: none
  uint64_t seed = 0;
  std::string output;
};

// Writes the agent's file, unless it was interrupted. An error is bad input, or a file's.
Result<PretrainedAgent> pretrain(const PretrainOptions& options, const Listener& listener);

}  // namespace dovetail
