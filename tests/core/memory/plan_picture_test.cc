// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan_picture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/text.h"
#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/times_in.h"

namespace dovetail::testing {
namespace {

PlanningProblem sample() {
  return {.buffers = {{.id = "a<b>", .bytes = 40'960, .lifetime = {0, 3}},
                      {.id = "long.enough.Y", .bytes = 65'536, .lifetime = {2, 9}},
                      {.id = "c", .bytes = 20'480, .lifetime = {3, 7}, .access = PoolAccess::ro},
                      {.id = "never", .bytes = 4'096, .lifetime = {4, 4}}},
          .pools = {{.name = "sram", .limit_bytes = 65'536}, {.name = "dram"}, {.name = "none"}},
          .times = {.name = "kernel", .end = 12}};
}

TEST(PlanPicture, DrawsEachBufferOverTimeAndBytes) {
  const PlanningProblem problem = sample();
  const PlanningResult planned = right(plan_memory(problem, "greedy_by_size"));
  EXPECT_GOLDEN(plan_svg(problem, planned.plan, {.title = "a sample & its plan"}),
                "core/memory/plan_picture");
}

TEST(PlanPicture, ColoursKindsAndNamesThoseThatAreThere) {
  const PlanningProblem problem = sample();
  const PlanningResult planned = right(plan_memory(problem, "greedy_by_size"));
  const std::string svg =
      plan_svg(problem, planned.plan,
               {.kinds = {"temporaries", "inputs", "outputs"}, .kind_of = {1, 0, 0, 0}});
  EXPECT_EQ(times_in(svg, ">temporaries<"), 1u);
  EXPECT_EQ(times_in(svg, ">inputs<"), 1u);
  EXPECT_EQ(times_in(svg, ">outputs<"), 0u);
  EXPECT_EQ(times_in(svg, "#009e73"), 2u) << "a's and the legend's";
}

TEST(PlanPicture, TakesEmptyProblemsAndHugeOnes) {
  EXPECT_NE(plan_svg({.buffers = {}}, {}).find("default: 0 bytes, 0 buffers"), std::string::npos);
  const PlanningProblem huge{
      .buffers = {{.id = "b", .bytes = int64_t{1} << 60, .lifetime = {0, int64_t{1} << 60}}}};
  const std::string svg = plan_svg(huge, Plan{{{.pool = 0, .offset = 0}}});
  EXPECT_EQ(times_in(svg, "<rect "), 3u) << "paper, legend, b";
  EXPECT_EQ(times_in(svg, "=\"-"), 0u);
}

// Elements are closed, none lies outside the picture, and the same plan is the same text.
RC_GTEST_PROP(PlanPicture, HasARectangleForEachBufferInsideThePicture, ()) {
  const PlanningProblem problem =
      random_planning_problem(*rc::gen::inRange(1, 40), *rc::gen::inRange<uint64_t>(0, 1 << 20));
  const PlanningResult planned = right(plan_memory(problem, "greedy_by_size"));
  const std::string svg = plan_svg(problem, planned.plan);
  size_t drawn = 0;
  for (const LiveBuffer& buffer : problem.buffers) drawn += occupies(buffer) ? 1 : 0;
  RC_ASSERT(times_in(svg, " to ") == drawn);
  RC_ASSERT(times_in(svg, "<rect ") == times_in(svg, "</rect>") + times_in(svg, "\"/>\n") -
                                           times_in(svg, "<line ") - times_in(svg, "<path "));
  for (const std::string name : {" x=\"", " y=\"", " width=\"", " x2=\""})
    for (size_t at = svg.find(name); at != svg.npos; at = svg.find(name, at + 1)) {
      const size_t from = at + name.size();
      const auto number = read_number<double>(svg.substr(from, svg.find('"', from) - from));
      RC_ASSERT(number.has_value());
      RC_ASSERT(*number >= 0);
      if (name != " y=\"") RC_ASSERT(*number <= 1000);
    }
  RC_ASSERT(svg == plan_svg(problem, planned.plan));
}

}  // namespace
}  // namespace dovetail::testing
