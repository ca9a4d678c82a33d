// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joining: fuses nodes of a graph into the operator before them. Shared by fold_normalizations
// (import_steps.h) and partition (partition/partition.h).
//
//   Joining joining(graph);
//   TRY(joining.run([&](size_t place) { … return joining.producer_of(node.inputs[0]); }));

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

using JoinedNodes = std::map<std::string, std::vector<std::string>>;  // by the operator's name

class Joining {
 public:
  explicit Joining(Graph& graph);

  // Returns the place of the operator that has absorbed the node at `place`, if any.
  using Rule = std::function<Result<std::optional<size_t>>(size_t place)>;

  // Calls the rule for every node in order. An operator that absorbed one moves to its place, so
  // that all of its inputs are computed before it, and writes the node's first output.
  Result<void> run(const Rule& rule);

  // The place of the operator with a spec that produces the tensor, if it has `reads` uses.
  std::optional<size_t> producer_of(TensorId id, int64_t reads = 1) const;
  int64_t uses_of(TensorId id) const;  // reads, and outputs of the graph
  GraphNode& node(size_t place) { return graph_.nodes[place]; }
  // Records that the operator computes the node at `place`, too, and clears that node.
  void take_in(GraphNode& producer, size_t place);

  // Appends if the operator stays valid: bias and add once, bounds in order, before any tail.
  static bool append(GraphNode& target, const Epilogue& epilogue);
  static void insert_operand(GraphNode& target, Operand operand, TensorId id);
  // Adds a constant with one value for every output channel (the last axis of gmm), or a single one
  // that is repeated, as the operator's bias; false for another tensor, or if there is a bias.
  bool add_bias(GraphNode& target, TensorId other);
  // Such a constant's values, one for every channel; nullopt for another tensor or without data.
  std::optional<std::vector<float>> value_of_each_channel(const GraphNode& target,
                                                          TensorId other) const;

  JoinedNodes joined;  // names of the nodes that operators absorbed

 private:
  bool is_of_channels(const GraphNode& target, TensorId other) const;
  TensorId bias_of(const GraphNode& target, TensorId id);

  Graph& graph_;
  std::vector<int64_t> uses_;  // by TensorId, of the initial tensors; later ones have one use
  std::unordered_map<TensorId, size_t> producer_;  // place of the operator that writes a tensor
};

}  // namespace dovetail
