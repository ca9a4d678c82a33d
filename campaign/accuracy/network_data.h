// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkData: what a network is judged on: inputs, and what the definition gives for them.
//
//   const auto inputs = TRY(input_sets(parts.graph, {.folders = {"photo", "noise"}}));
//   const std::vector<NetworkData> sets = TRY(network_data(parts, inputs, rule, listener));
//   sets[1].inputs[0]                    noise/input_0.npy
//   sets[1].reference.outputs[0]         in double
//
// Without folders it is one set of random numbers. The rule learns the numbers of each region from
// all sets, so that the worst of them decides what may be computed fast.

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_reference.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/value/array.h"

namespace dovetail {

struct NetworkData {
  std::vector<Array> inputs;  // of the graph, in order
  NetworkReference reference;
};

struct InputSources {
  std::vector<std::string> folders = {};    // of input_0.npy, …; a set each
  uint64_t seed = 0;                        // of random numbers
  std::vector<std::string> constants = {};  // inputs that are held, for messages
};

// The error names a file that does not fit.
Result<std::vector<std::vector<Array>>> input_sets(const Graph& graph, const InputSources& sources);

// The error names a constant without numbers.
Result<std::vector<NetworkData>> network_data(const Partition& parts,
                                              std::vector<std::vector<Array>> inputs,
                                              AccuracyRule& rule, const Listener& listener);

// Folders of inputs in a folder of `--calibrate`: itself, where it has input_0.npy, else each of
// its folders that has one, by name. The error is a folder with neither.
Result<std::vector<std::string>> input_folders(const std::string& folder);

}  // namespace dovetail
