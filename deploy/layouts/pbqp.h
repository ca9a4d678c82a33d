// SPDX-License-Identifier: Apache-2.0
#pragma once

// PBQP (partitioned boolean quadratic problem): one alternative for each node, such that what the
// nodes cost and what pairs of neighbours cost together is least.
//
//   Pbqp problem;
//   const size_t a = problem.add_node({0, 5}), b = problem.add_node({1, 0});
//   problem.add_edge(a, b, {{0, 3}, {3, 0}});      row: of a, column: of b
//   solve(problem)        choice {0, 0}, cost 1, is_exact
//
// Nodes with at most two neighbours are reduced away, which loses nothing, and nodes that a graph
// of layers in a row with shortcuts consists of are all such. What is left is branched over, with
// the sum of all minima as the bound; when the budget of branches is spent, the best found so far
// is given, and is_exact is false.
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
  std::vector<size_t> choice;  // of each node
  double cost = 0;
  bool is_exact = true;
};

class Pbqp {
 public:
  size_t add_node(std::vector<double> costs);  // at least one
  // Two edges of one pair add up. A node is no neighbour of itself (CHECKed).
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
