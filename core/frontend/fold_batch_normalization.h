// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folds y = scale * (x - mean) / sqrt(variance + epsilon) + shift into the operator that makes x.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// True if `normalization` joined `producer`, which then has new weights and a bias; all must be
// constants with data, and the producer's epilogues at most a bias.
Result<bool> fold_batch_normalization(Graph& graph, const GraphNode& normalization,
                                      GraphNode& producer);

}  // namespace dovetail
