// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkChoice: what each region of a graph was chosen to do: its trace, and how the tensors that
// it is given and makes are stored.
//
//   choice.nodes[0]   conv1: a trace, which stores t as 1@16:4 2@1:56 3@1:56 1@1:16
//   choice.nodes[1]   pool: t as it comes, u stored as 1@16:4 2@1:28 3@1:28 1@1:16
//   choice.nodes[2]   a Reshape: given u so; how its output is stored follows
//   {}                nothing chosen: default traces, and every other region has row-major tensors
//
// Why a value of its own: what is best over a graph is one question (deploy/layouts), how it is
// lowered is another one, and a choice can be measured, compared, and made again from measurements.

#include <map>
#include <optional>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/layout/normal_form.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// In the shapes that the graph's tensors have.
using FormsOfTensors = std::map<TensorId, NormalLayout>;

struct NodeChoice {
  std::optional<Trace> trace = {};  // of a region with a product, whose tensors it stores
  FormsOfTensors forms = {};        // of any other region; a tensor that is not here is row-major
  bool stays = false;               // of a Transpose: no element moves, the next region is told
  friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

struct NetworkChoice {
  std::vector<NodeChoice> nodes;  // one for each region of the partition; or none
  bool weights_ahead = false;     // kernels ask for the next ones' constants: weights_ahead.h
};

}  // namespace dovetail
