// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkData: the data that a network is judged on: inputs, and the definition's outputs.
//
//   const auto inputs = TRY(input_sets(parts.graph, {.folders = {"photo", "noise"}}));
//   const std::vector<NetworkData> sets = TRY(network_data(parts, inputs, rule, listener));
//   sets[1].inputs[0]                    noise/input_0.npy
//   sets[1].reference.outputs[0]         in double
//
// Without folders there is one set of random inputs. The rule learns the numbers of each region
// from all sets, so the worst set decides which fast algorithms are allowed.

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_reference.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

struct NetworkData {
  std::vector<NDArray> inputs;  // in the graph's order
  NetworkReference reference;
};

struct InputSources {
  std::vector<std::string> folders = {};    // one set of input_0.npy, … per folder
  uint64_t seed = 0;                        // for random inputs
  std::vector<std::string> constants = {};  // inputs fixed by --constant, for messages
};

// The error names a file that does not fit.
Result<std::vector<std::vector<NDArray>>> input_sets(const Graph& graph,
                                                     const InputSources& sources);

// Fails on a constant without elements, by name.
Result<std::vector<NetworkData>> network_data(const Partition& parts,
                                              std::vector<std::vector<NDArray>> inputs,
                                              AccuracyRule& rule, const Listener& listener);

// The input folders for `--calibrate`: `folder` itself if it has input_0.npy, else each of its
// sub-folders that has one, by name. Fails if there is none.
Result<std::vector<std::string>> input_folders(const std::string& folder);

}  // namespace dovetail
