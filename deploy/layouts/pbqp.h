// SPDX-License-Identifier: Apache-2.0
#pragma once

// PBQP (partitioned boolean quadratic problem): picks one alternative for each node such that the
// sum of node costs and edge costs is least.
//
//   Pbqp problem;
//   const size_t a = problem.add_node({0, 5}), b = problem.add_node({1, 0});
//   problem.add_edge(a, b, {{0, 3}, {3, 0}});      row: of a, column: of b
//   solve(problem)        choice {0, 0}, cost 1, is_exact
//
// Nodes with at most two neighbours are reduced away without loss of optimality; a sequence of
// layers with shortcuts has only such nodes. The rest is solved by branch and bound, with the sum
// of all minima as the bound; when the budget of branches is spent, the best solution so far is
// returned, with is_exact false.
//
// Source: Scholz and Eckstein, Register Allocation for Irregular Architectures (LCTES'02), for the
// reductions; Anderson and Gregg, Optimal DNN Primitive Selection with PBQP (CGO'18), for networks.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace dovetail {

using PbqpMatrix = std::vector<std::vector<double>>;

struct PbqpSolution {
  std::vector<size_t> choice;  // alternative of each node
  double cost = 0;
  bool is_exact = true;
};

class Pbqp {
 public:
  size_t add_node(std::vector<double> costs);  // by alternative; at least one
  // Edges between the same two nodes add up. Self-loops are not allowed (CHECKed).
  void add_edge(size_t a, size_t b, const PbqpMatrix& costs);

  const std::vector<std::vector<double>>& nodes() const { return nodes_; }
  const std::map<std::pair<size_t, size_t>, PbqpMatrix>& edges() const { return edges_; }

 private:
  std::vector<std::vector<double>> nodes_;
  std::map<std::pair<size_t, size_t>, PbqpMatrix> edges_;  // the lower node first
};

double cost_of(const Pbqp& problem, const std::vector<size_t>& choice);

PbqpSolution solve(const Pbqp& problem, int64_t max_branches = 2'000);

}  // namespace dovetail
