// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/pbqp.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace dovetail {
namespace {

TEST(Pbqp, TakesWhatIsLeastTogether) {
  Pbqp problem;
  const size_t a = problem.add_node({0, 5}), b = problem.add_node({1, 0});
  problem.add_edge(a, b, {{0, 3}, {3, 0}});
  const PbqpSolution solution = solve(problem);
  EXPECT_EQ(solution.choice, (std::vector<size_t>{0, 0}));
  EXPECT_EQ(solution.cost, 1);
  EXPECT_TRUE(solution.is_exact);
}

TEST(Pbqp, AddsEdgesOfOnePairWhicheverWayRound) {
  Pbqp problem;
  const size_t a = problem.add_node({0, 0}), b = problem.add_node({0, 0, 0});
  problem.add_edge(a, b, {{9, 9, 9}, {9, 9, 1}});
  problem.add_edge(b, a, {{9, 9}, {9, 9}, {9, 1}});
  const PbqpSolution solution = solve(problem);
  EXPECT_EQ(solution.choice, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(solution.cost, 2);
}

double least_of_all(const Pbqp& problem) {
  std::vector<size_t> choice(problem.nodes().size(), 0);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    least = std::min(least, cost_of(problem, choice));
    size_t node = 0;
    while (node < choice.size() && ++choice[node] == problem.nodes()[node].size())
      choice[node++] = 0;
    if (node == choice.size()) return least;
  }
}

double cost() { return *rc::gen::inRange(0, 20); }

// Nodes of up to five neighbours, so that some are reduced and some branched over.
Pbqp drawn_problem() {
  Pbqp problem;
  const int nodes = *rc::gen::inRange(1, 7);
  for (int n = 0; n < nodes; ++n) {
    std::vector<double> costs(static_cast<size_t>(*rc::gen::inRange(1, 4)));
    for (double& own : costs) own = cost();
    problem.add_node(std::move(costs));
  }
  for (size_t a = 0; a < problem.nodes().size(); ++a)
    for (size_t b = a + 1; b < problem.nodes().size(); ++b) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      PbqpMatrix matrix(problem.nodes()[a].size(), std::vector<double>(problem.nodes()[b].size()));
      for (auto& row : matrix)
        for (double& own : row) own = cost();
      problem.add_edge(a, b, matrix);
    }
  return problem;
}

RC_GTEST_PROP(PbqpLaw, FindsTheLeastOfAllChoices, ()) {
  const Pbqp problem = drawn_problem();
  const PbqpSolution solution = solve(problem);
  RC_ASSERT(solution.is_exact);
  RC_ASSERT(solution.cost == cost_of(problem, solution.choice));
  RC_ASSERT(solution.cost == least_of_all(problem));
}

RC_GTEST_PROP(PbqpLaw, GivesAChoiceAfterItsBudget, ()) {
  const Pbqp problem = drawn_problem();
  const PbqpSolution solution = solve(problem, 0);
  RC_ASSERT(solution.cost == cost_of(problem, solution.choice));
  if (solution.is_exact)
    RC_ASSERT(solution.cost == least_of_all(problem));
  else
    RC_ASSERT(solution.cost >= least_of_all(problem));
}

}  // namespace
}  // namespace dovetail
