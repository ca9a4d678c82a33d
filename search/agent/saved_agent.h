// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedAgent: a trained agent of `ppo` as a file, from which agents for other tasks and devices can
// start.
//
//   dovetail agent 1                      the form of this file
//   states 1                              the encoding of states (ppo_drafter.h)
//   state_size 72
//   actors 2
//   hidden 64
//   tasks c1d:ci=64,… c2d:ci=64,…         what it was trained on
//   trials 24000                          on all of them together
//   crc 3cf04423                          zlib's CRC-32 of the bytes
//   weights 26885
//   …so many floats of four bytes, little-endian, network by network
//
//   const SavedAgent agent = TRY(parse_saved_agent(TRY(read_file("nine.agent"))));

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// Weights fit only an agent of the same shape with the same encoding of states.
struct AgentShape {
  int states = 1;  // version of their encoding
  int state_size = 0;
  int actors = 1;
  int hidden = 0;
  friend bool operator==(const AgentShape&, const AgentShape&) = default;
};

struct SavedAgent {
  AgentShape shape;
  std::vector<std::string> tasks;  // specs, distinct, in the order of training
  int64_t trials = 0;              // including its starting agent's
  std::vector<float> weights;
  void add_training(const std::string& task, int64_t more_trials);
  friend bool operator==(const SavedAgent&, const SavedAgent&) = default;
};

std::string print(const SavedAgent& agent);
Result<SavedAgent> parse_saved_agent(std::string_view text);
// The error names what differs.
Result<void> check_shape(const SavedAgent& agent, const AgentShape& expected);
// Parses a file and checks its shape; errors name the file.
Result<SavedAgent> read_saved_agent(const std::string& path, const AgentShape& expected);

}  // namespace dovetail
