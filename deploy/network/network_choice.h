// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkChoice: for each region of a graph its trace, and the layouts of its inputs and outputs.
//
//   choice.nodes[0]   conv1: a trace, which stores t as 1@16:4 2@1:56 3@1:56 1@1:16
//   choice.nodes[1]   pool: t as it comes, u stored as 1@16:4 2@1:28 3@1:28 1@1:16
//   choice.nodes[2]   a Reshape: given u so; how its output is stored follows
//   {}                nothing chosen: default traces, and every other region has row-major tensors
//
// Why a separate value: choosing for a whole graph (deploy/layouts) and lowering are two problems,
// and a choice can be measured, compared, and made again from measurements.

#include <map>
#include <optional>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/layout/normal_form.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// Layouts in terms of the shapes of the graph's tensors.
using FormsOfTensors = std::map<TensorId, NormalLayout>;

struct NodeChoice {
  std::optional<Trace> trace = {};  // for a region with a product: it sets the layouts
  FormsOfTensors forms = {};        // for any other region; a missing tensor is row-major
  bool stays = false;  // for a Transpose: it becomes a change of layout, no element moves
  friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

struct NetworkChoice {
  std::vector<NodeChoice> nodes;    // by region of the partition; or empty
  bool prefetches_weights = false;  // kernels prefetch the next ones' constants: prefetch_weights.h
};

}  // namespace dovetail
