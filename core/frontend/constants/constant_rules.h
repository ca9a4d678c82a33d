// SPDX-License-Identifier: Apache-2.0
#pragma once

// compute_constants: the outputs of a node whose inputs are all constant.
//
//   Concat {axis=0} ([1], [-1], [64])     gives    [1, -1, 64]
//   Where (x == -1, [1, 1], x)            gives    x with 1 for each -1
//
// Why: exporters write the shapes of a transformer as small programs (Shape, Gather, Concat,
// Where, Expand, …) beside the network. Unless these are computed, no shape after them is known.
// There are rules for the operators by which exporters compute shapes, masks and positions, and for
// those that move weights; a node of another type is computed when the network runs.
//
// To add an operator: a rule in the file of its kind (move_elements.cc, select_elements.cc,
// compute_elements.cc), a row in constant_rules.cc, a case in constant_rules_test.cc.

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

struct ConstantCall {
  const GraphNode& node;                   // its type and its attributes; tensors are below
  std::vector<const GraphTensor*> inputs;  // constants with data; null: omitted
  size_t num_outputs = 1;
  int64_t most_elements = 0;  // limit for all outputs together

  // Null if the node has fewer inputs.
  const GraphTensor* input(size_t position) const {
    return position < inputs.size() ? inputs[position] : nullptr;
  }
};

// Outputs in the node's order, without names; nullopt if no rule applies.
using ConstantOutputs = std::optional<std::vector<GraphTensor>>;
using ConstantRule = Result<ConstantOutputs> (*)(const ConstantCall&);

bool has_constant_rule(std::string_view type);

// Fails for an invalid model: an attribute of the wrong type, a result beyond most_elements.
Result<ConstantOutputs> compute_constants(const ConstantCall& call);

// The rules, each in a file of its kind.
namespace constant_rules {
// move_elements.cc
Result<ConstantOutputs> reshape(const ConstantCall& call);
Result<ConstantOutputs> flatten(const ConstantCall& call);
Result<ConstantOutputs> squeeze(const ConstantCall& call);
Result<ConstantOutputs> unsqueeze(const ConstantCall& call);
Result<ConstantOutputs> identity(const ConstantCall& call);
Result<ConstantOutputs> transpose(const ConstantCall& call);
Result<ConstantOutputs> expand(const ConstantCall& call);
Result<ConstantOutputs> tile(const ConstantCall& call);
Result<ConstantOutputs> constant_of_shape(const ConstantCall& call);
Result<ConstantOutputs> range(const ConstantCall& call);
// select_elements.cc
Result<ConstantOutputs> slice(const ConstantCall& call);
Result<ConstantOutputs> gather(const ConstantCall& call);
Result<ConstantOutputs> gather_elements(const ConstantCall& call);
Result<ConstantOutputs> gather_nd(const ConstantCall& call);
Result<ConstantOutputs> concat(const ConstantCall& call);
Result<ConstantOutputs> split(const ConstantCall& call);
Result<ConstantOutputs> one_hot(const ConstantCall& call);
Result<ConstantOutputs> non_zero(const ConstantCall& call);
// compute_elements.cc
// The node's one output, of this type and shape, computed by the node's region (fold_nodes.h).
Result<ConstantOutputs> by_region(const ConstantCall& call, ElementType type,
                                  const std::vector<int64_t>& shape);
Result<ConstantOutputs> elementwise(const ConstantCall& call);
Result<ConstantOutputs> cast(const ConstantCall& call);
Result<ConstantOutputs> where(const ConstantCall& call);
Result<ConstantOutputs> reduce(const ConstantCall& call);
}  // namespace constant_rules

// Integers that a node has as an attribute (older operator sets) or as an input; nullopt if it has
// neither.
Result<std::optional<std::vector<int64_t>>> numbers_of(const ConstantCall& call,
                                                       const std::string& attribute,
                                                       size_t position);

// Fails, naming the node, if a result has more than most_elements elements.
Result<void> check_size(const ConstantCall& call, const std::vector<int64_t>& shape);

inline ConstantOutputs one_output(GraphTensor tensor) {
  std::vector<GraphTensor> outputs;
  outputs.push_back(std::move(tensor));
  return outputs;
}

}  // namespace dovetail
