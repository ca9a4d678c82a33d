// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/pbqp.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>

#include "core/base/check.h"

namespace dovetail {
namespace {

// The costs of an edge: a row per alternative of one node, a column per alternative of the other.
// Copies of a Remainder share the matrix.
struct Edge {
  std::shared_ptr<const PbqpMatrix> matrix;
  double least = 0;  // smallest entry
};

Edge edge_of(PbqpMatrix matrix) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& row : matrix) least = std::min(least, std::ranges::min(row));
  return {std::make_shared<const PbqpMatrix>(std::move(matrix)), least};
}

PbqpMatrix turned(const PbqpMatrix& matrix) {
  PbqpMatrix result(matrix[0].size(), std::vector<double>(matrix.size()));
  for (size_t i = 0; i < matrix.size(); ++i)
    for (size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  return result;
}

// The part of a problem that is not reduced yet: a cost vector per node and a matrix per edge, the
// latter in both orientations.
class Remainder {
 public:
  explicit Remainder(const Pbqp& problem)
      : costs_(problem.nodes()), edges_(problem.nodes().size()) {
    for (const auto& [pair, matrix] : problem.edges()) add(pair.first, pair.second, matrix);
    for (size_t node = 0; node < costs_.size(); ++node) open_.push_back(node);
  }

  // Folds every node with at most two neighbours into them; all nodes left have three or more.
  void reduce() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const size_t node : std::vector<size_t>(open_)) {
        if (edges_[node].size() > 2) continue;
        fold(node);
        changed = true;
      }
    }
  }

  bool is_empty() const { return open_.empty(); }

  size_t busiest() const {
    return *std::ranges::max_element(open_, {}, [&](size_t node) { return edges_[node].size(); });
  }

  const std::vector<double>& costs(size_t node) const { return costs_[node]; }

  // Fixes the node's alternative: its edges become costs of its neighbours.
  void fix(size_t node, size_t alternative) {
    folded_.push_back(std::make_shared<const Fold>(Fold{node, {}, {{}}, alternative}));
    constant_ += costs_[node][alternative];
    for (const auto& [other, edge] : std::map(edges_[node])) {
      const std::vector<double>& row = (*edge.matrix)[alternative];
      for (size_t j = 0; j < costs_[other].size(); ++j) costs_[other][j] += row[j];
      remove(node, other);
    }
    std::erase(open_, node);
  }

  // Lower bound on the cost of any solution.
  double bound() const {
    double bound = constant_;
    for (const size_t node : open_) {
      bound += std::ranges::min(costs_[node]);
      for (const auto& [other, edge] : edges_[node])
        if (node < other) bound += edge.least;
    }
    return bound;
  }

  // The alternatives, from the last folded node back to the first. Precondition: is_empty().
  std::vector<size_t> choice() const {
    std::vector<size_t> chosen(costs_.size(), 0);
    for (const auto& fold : std::views::reverse(folded_)) {
      if (fold->fixed) {
        chosen[fold->node] = *fold->fixed;
        continue;
      }
      std::vector<double> costs = costs_[fold->node];
      for (size_t n = 0; n < fold->neighbours.size(); ++n)
        for (size_t i = 0; i < costs.size(); ++i)
          costs[i] += (*fold->edges[n].matrix)[i][chosen[fold->neighbours[n]]];
      chosen[fold->node] = static_cast<size_t>(std::ranges::min_element(costs) - costs.begin());
    }
    return chosen;
  }

 private:
  struct Fold {
    size_t node = 0;
    std::vector<size_t> neighbours;
    std::vector<Edge> edges;  // rows: the node; columns: the neighbour
    std::optional<size_t> fixed;
  };

  void add(size_t a, size_t b, PbqpMatrix matrix) {
    if (const auto known = edges_[a].find(b); known != edges_[a].end())
      for (size_t i = 0; i < matrix.size(); ++i)
        for (size_t j = 0; j < matrix[i].size(); ++j) matrix[i][j] += (*known->second.matrix)[i][j];
    edges_[b][a] = edge_of(turned(matrix));
    edges_[a][b] = edge_of(std::move(matrix));
  }

  void remove(size_t a, size_t b) {
    edges_[a].erase(b);
    edges_[b].erase(a);
  }

  void fold(size_t node) {
    Fold fold{.node = node, .neighbours = {}, .edges = {}, .fixed = {}};
    for (const auto& [other, edge] : edges_[node]) {
      fold.neighbours.push_back(other);
      fold.edges.push_back(edge);
    }
    for (const size_t other : fold.neighbours) remove(node, other);
    const std::vector<double>& own = costs_[node];
    if (fold.neighbours.empty()) constant_ += std::ranges::min(own);
    if (fold.neighbours.size() == 1) {
      std::vector<double>& costs = costs_[fold.neighbours[0]];
      for (size_t j = 0; j < costs.size(); ++j) costs[j] += least(own, fold, j);
    }
    if (fold.neighbours.size() == 2) {
      const size_t a = fold.neighbours[0], b = fold.neighbours[1];
      add(a, b, least_between(own, fold, costs_[a].size(), costs_[b].size()));
    }
    std::erase(open_, node);
    folded_.push_back(std::make_shared<const Fold>(std::move(fold)));
  }

  // The minimum over the node's alternatives, given alternative `j` of its only neighbour.
  static double least(const std::vector<double>& own, const Fold& fold, size_t j) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < own.size(); ++i)
      least = std::min(least, own[i] + (*fold.edges[0].matrix)[i][j]);
    return least;
  }

  // The same minimum for each pair of alternatives of two neighbours.
  static PbqpMatrix least_between(const std::vector<double>& own, const Fold& fold, size_t rows,
                                  size_t columns) {
    PbqpMatrix between(rows, std::vector<double>(columns, std::numeric_limits<double>::infinity()));
    for (size_t i = 0; i < own.size(); ++i) {
      const std::vector<double>& first = (*fold.edges[0].matrix)[i];
      const std::vector<double>& second = (*fold.edges[1].matrix)[i];
      for (size_t j = 0; j < rows; ++j)
        for (size_t k = 0; k < columns; ++k)
          between[j][k] = std::min(between[j][k], own[i] + first[j] + second[k]);
    }
    return between;
  }

  std::vector<std::vector<double>> costs_;
  std::vector<std::map<size_t, Edge>> edges_;
  std::vector<size_t> open_;
  std::vector<std::shared_ptr<const Fold>> folded_;  // shared between copies
  double constant_ = 0;
};

class Solver {
 public:
  Solver(const Pbqp& problem, int64_t max_branches)
      : problem_(problem), branches_left_(max_branches) {}

  PbqpSolution solve() {
    descend(Remainder(problem_));
    return std::move(best_);
  }

 private:
  void descend(Remainder left) {
    left.reduce();
    if (left.is_empty()) return take(left.choice());
    const size_t node = left.busiest();
    // Branches are built twice, for the bound and for the descent: keeping the pending ones of
    // every level would take as much memory as the network's weights.
    std::vector<std::pair<double, size_t>> bounds;
    for (size_t i = 0; i < left.costs(node).size(); ++i)
      bounds.emplace_back(branch_of(left, node, i).bound(), i);
    std::ranges::stable_sort(bounds, {}, &std::pair<double, size_t>::first);
    for (const auto& [bound, alternative] : bounds) {
      if (has_one_ && bound >= best_.cost) break;
      // The first descent always runs to its end, so that there is a solution.
      if (has_one_ && --branches_left_ < 0) {
        best_.is_exact = false;
        break;
      }
      descend(branch_of(left, node, alternative));
    }
  }

  static Remainder branch_of(Remainder left, size_t node, size_t alternative) {
    left.fix(node, alternative);
    return left;
  }

  void take(std::vector<size_t> choice) {
    const double cost = cost_of(problem_, choice);
    if (has_one_ && cost >= best_.cost) return;
    best_.choice = std::move(choice);
    best_.cost = cost;
    has_one_ = true;
  }

  const Pbqp& problem_;
  int64_t branches_left_;
  PbqpSolution best_;
  bool has_one_ = false;
};

}  // namespace

size_t Pbqp::add_node(std::vector<double> costs) {
  CHECK(!costs.empty(), "a node has an alternative");
  nodes_.push_back(std::move(costs));
  return nodes_.size() - 1;
}

void Pbqp::add_edge(size_t a, size_t b, const PbqpMatrix& costs) {
  CHECK(a != b && a < nodes_.size() && b < nodes_.size(), "an edge joins two nodes");
  PbqpMatrix& sum = edges_[std::minmax(a, b)];
  const auto [low, high] = std::minmax(a, b);
  sum.resize(nodes_[low].size(), std::vector<double>(nodes_[high].size(), 0));
  for (size_t i = 0; i < nodes_[a].size(); ++i)
    for (size_t j = 0; j < nodes_[b].size(); ++j) (a < b ? sum[i][j] : sum[j][i]) += costs[i][j];
}

double cost_of(const Pbqp& problem, const std::vector<size_t>& choice) {
  double cost = 0;
  for (size_t node = 0; node < choice.size(); ++node) cost += problem.nodes()[node][choice[node]];
  for (const auto& [pair, matrix] : problem.edges())
    cost += matrix[choice[pair.first]][choice[pair.second]];
  return cost;
}

PbqpSolution solve(const Pbqp& problem, int64_t max_branches) {
  return Solver(problem, max_branches).solve();
}

}  // namespace dovetail
