// SPDX-License-Identifier: Apache-2.0
// Peaks and times of every planner, as the table results/memory/tables.md, which
// scripts/bench-planners makes:
//
//   build/release/tests/planner_bench "Made by me on this machine" > tables.md
//
// The suite's cases, perfect packings of 60 to 450 buffers (seeds 100 to 105; the time limit of
// `exact` is 5 s up to 240 buffers and 10 s above), and 100,000 buffers.
#include <fmt/format.h>

#include <cstdio>

#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

void print_row(const std::string& name, const PlanningProblem& problem, double seconds,
               const std::vector<std::string>& algorithms) {
  for (const std::string& algorithm : algorithms) {
    const PlanningResult result = right(plan_memory(problem, algorithm, {.seconds = seconds}));
    fmt::print("| {} | {} | {} | {} | {} | {:.1f} | {:.3f} |\n", name, problem.buffers.size(),
               algorithm, result.peak_bytes, result.lower_bound_bytes, 100 * result.gap(),
               result.seconds);
    std::fflush(stdout);
  }
}

void print_tables(std::string_view made_by) {
  fmt::print(
      "# Planners\n\n{}; every plan was validated.\n\n"
      "| problem | buffers | algorithm | peak (bytes) | lower bound | gap (%) | seconds |\n"
      "|---|---:|---|---:|---:|---:|---:|\n",
      made_by);
  const std::vector<std::string> all = builtin_planners().names();
  for (const char* name : {"alloc_max", "five", "simple", "deep_speech", "resnet_subgraph",
                           "mobilenet_subgraph", "linear", "fanout"})
    print_row(name, planning_case(name), 10, all);
  print_row("mobilenet_subgraph, fast 200704 then slow",
            planning_case("mobilenet_subgraph",
                          {{.name = "fast", .limit_bytes = 200704}, {.name = "slow"}}),
            10, all);
  for (const int buffers : {60, 120, 180, 240, 300, 450}) {
    for (uint64_t seed = 100; seed < 106; ++seed)
      print_row(fmt::format("perfect packing {}", seed),
                perfect_packing({.buffers = buffers, .seed = seed}), buffers <= 240 ? 5 : 10,
                seed == 100 ? all : std::vector<std::string>{"exact"});
  }
  PlanningProblem large = random_planning_problem(100'000, 0);
  const std::vector<std::string> greedy = {"greedy_by_size", "greedy_by_conflicts", "hill_climb"};
  print_row("random, a few live", large, 10, greedy);
  for (LiveBuffer& buffer : large.buffers) buffer.lifetime.upper += 400;
  print_row("random, hundreds live", large, 10, {"greedy_by_size", "greedy_by_conflicts"});
  for (LiveBuffer& buffer : large.buffers) buffer.lifetime.upper += 20'000;
  print_row("random, thousands live", large, 10, {"greedy_by_size", "greedy_by_conflicts"});
}

}  // namespace
}  // namespace dovetail::testing

int main(int count, char** arguments) {
  dovetail::testing::print_tables(count > 1 ? arguments[1] : "Made by planner_bench");
  return 0;
}
