// SPDX-License-Identifier: Apache-2.0
#pragma once

// graph_inputs: the input arrays of a model: the user's, or random ones.
//
//   graph_inputs(graph, "in", 0)      in/input_0.npy, in/input_1.npy, … in the model's order
//   graph_inputs(graph, "", 0)        real numbers in [-1, 1), integers and truths 0 or 1

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// In the graph's order. The error names a file, its contents and what the tensor needs, and the
// `constants`, which have no file.
Result<std::vector<NDArray>> graph_inputs(const Graph& graph, const std::string& folder,
                                          uint64_t seed,
                                          const std::vector<std::string>& constants = {});

// Where the inputs of a graph come from, for callers that have the graph only later.
using InputsOfGraph = std::function<Result<std::vector<NDArray>>(const Graph& graph)>;

// These arrays, in the graph's order; random ones by `seed` if there are none. Fails on a wrong
// number of them, or one that does not fit its tensor (campaign/run/fitted_array.h).
InputsOfGraph given_inputs(std::vector<NDArray> arrays, uint64_t seed);

}  // namespace dovetail
