// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joining: nodes of a graph become part of the operator before them. Two passes share it, for what
// they take in: fold_normalizations (import_steps.h) and partition (partition/partition.h).
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

  // The place of the operator that has taken in the node at this place, if one has.
  using Rule = std::function<Result<std::optional<size_t>>(size_t place)>;

  // Asks the rule of every node in order. An operator that took one in moves to its place, so that
  // all it reads now has been written before, and writes what the node wrote.
  Result<void> run(const Rule& rule);

  // The place of the operator with a spec that makes the tensor, which has so many reads.
  std::optional<size_t> producer_of(TensorId id, int64_t reads = 1) const;
  int64_t uses_of(TensorId id) const;  // reads, and outputs of the graph
  GraphNode& node(size_t place) { return graph_.nodes[place]; }
  // The operator computes the node at this place, too, which is then gone.
  void take_in(GraphNode& producer, size_t place);

  // Appends if the operator stays valid: bias and add once, bounds in order, before any tail.
  static bool append(GraphNode& target, const Epilogue& epilogue);
  static void insert_operand(GraphNode& target, Operand operand, TensorId id);
  // A constant with one value for every output channel (the last axis of gmm), or a single one that
  // is repeated, as the operator's bias; false where it is none, or there is a bias.
  bool add_bias(GraphNode& target, TensorId other);
  // Such a constant's values, one for every channel; none of others, and where no data are known.
  std::optional<std::vector<float>> value_of_each_channel(const GraphNode& target,
                                                          TensorId other) const;

  JoinedNodes joined;  // names of the nodes that operators took in

 private:
  bool is_of_channels(const GraphNode& target, TensorId other) const;
  TensorId bias_of(const GraphNode& target, TensorId id);

  Graph& graph_;
  std::vector<int64_t> uses_;  // of tensors that were there at the start; later ones have one read
  std::unordered_map<TensorId, size_t> producer_;  // place of the operator that writes a tensor
};

}  // namespace dovetail
