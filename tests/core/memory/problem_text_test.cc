// SPDX-License-Identifier: Apache-2.0
#include "core/memory/problem_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/memory/planner.h"
#include "tests/core/memory/planning_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

constexpr std::string_view kHeader = "id,lower,upper,size\n";

Result<PlanningProblem> parse(const std::string& text) { return parse_problem(text, "f.csv"); }

TEST(ProblemText, ReadsColumnsInAnyOrder) {
  const PlanningProblem problem =
      right(parse("size,id,upper,lower,offset,pools\r\n4,a,3,0,,\r\n8,b,9,3,16,slow|fast\r\n"));
  ASSERT_EQ(problem.buffers.size(), 2u);
  EXPECT_EQ(problem.buffers[0], (LiveBuffer{.id = "a", .bytes = 4, .lifetime = {0, 3}}));
  EXPECT_EQ(problem.buffers[1].offset, 16);
  EXPECT_EQ(problem.buffers[1].pools, (std::vector<int>{0, 1}));
  EXPECT_EQ(problem.pools[1].name, "fast");
}

TEST(ProblemText, FailsNamingFileAndLine) {
  const std::string header(kHeader);
  EXPECT_ERROR(parse(""), "f.csv: nothing found; expected a line id,lower,upper,size");
  EXPECT_ERROR(parse("id,lower,upper\n"), "f.csv:1: no column size found");
  EXPECT_ERROR(parse("id,lower,upper,bytes\n"), "f.csv:1: column 'bytes' found; expected some of");
  EXPECT_ERROR(parse("id,id,lower,upper,size\n"), "f.csv:1: column id found twice");
  EXPECT_ERROR(parse(header + "a,0,1\n"), "f.csv:2: 3 cells found; expected 4");
  EXPECT_ERROR(parse(header + "a,0,x,4\n"), "f.csv:2: upper 'x' found; expected a number");
  EXPECT_ERROR(parse(header + "a,0,1,99999999999999999999\n"), "f.csv:2: size '9999");
  EXPECT_ERROR(parse(header + "a,0,1,-4\n"), "f.csv:2: size -4 found");
  EXPECT_ERROR(parse(header + "a,2,1,4\n"), "f.csv:2: lower 2 and upper 1 found");
  EXPECT_ERROR(parse(header + "a,0,1,4\n\na,0,1,4\n"), "f.csv:4: id a found, as in line 2");
  EXPECT_ERROR(parse(header + "a,0,1,4611686018427387904\n"), "add up to more than 2^61 bytes");
  EXPECT_ERROR(parse("id,lower,upper,size,alignment\na,0,1,4,0\n"), "buffer a: alignment 0 found");
  EXPECT_ERROR(parse("id,lower,upper,size,access\na,0,1,4,wo\n"), "f.csv:2: access 'wo' found");
  EXPECT_ERROR(parse_problem("id,lower,upper,size,pools\na,0,1,4,ram\n", "f.csv", {Pool{}}),
               "f.csv:2: pool 'ram' found; expected one of: default");
}

TEST(ProblemText, ReadsMiniMallocsOlderForm) {
  const PlanningProblem problem = right(parse("buffer_id,start,end,size\na,0,2,4\nb,3,8,4\n"));
  EXPECT_EQ(problem.buffers[0].id, "a");
  EXPECT_EQ(problem.buffers[0].lifetime, (LiveInterval{0, 3})) << "the end is the last time of use";
  EXPECT_EQ(right(parse("buffer,begin,upper,size\na,0,3,4\n")).buffers[0].lifetime,
            (LiveInterval{0, 3}));
  EXPECT_EQ(right(parse("id,start,end,size,hint\na,5,4,4,64\n")).buffers[0].lifetime,
            (LiveInterval{5, 5}))
      << "never used";
  EXPECT_ERROR(parse("id,start,end,size\na,5,3,4\n"), "f.csv:2: start 5 and end 3 found");
  EXPECT_ERROR(parse("id,start,end,size\na,0,9223372036854775807,4\n"), "f.csv:2: start 0 and end");
  EXPECT_ERROR(parse("id,start,end,size\na,0,x,4\n"), "f.csv:2: end 'x' found");
  EXPECT_ERROR(parse("id,lower,start,end,size\n"), "f.csv:1: column lower found twice");
}

// c lives in a's gap and may lie in its bytes; b in half of it may not.
TEST(ProblemText, LeavesGapsToOthers) {
  const std::string lines = "a,0,9,4,2-5\nb,4,7,4,\nc,2,4,4,\n";
  const PlanningProblem problem = right(parse("id,lower,upper,size,gaps\n" + lines));
  EXPECT_EQ(problem.conflicts, (std::vector<ConflictPair>{{0, 1}}));
  const PlanningResult planned = right(plan_memory(problem, "exact"));
  EXPECT_EQ(planned.peak_bytes, 8);
  EXPECT_EQ(right(parse(print_plan(problem, planned.plan))).conflicts, problem.conflicts);
  const PlanningProblem inclusive =
      right(parse("id,start,end,size,gaps\na,0,8,4,2-4\nb,4,6,4,\nc,2,3,4,\n"));
  EXPECT_EQ(inclusive, problem);
  EXPECT_EQ(
      right(parse("id,lower,upper,size,gaps\na,0,9,4,1-2 3-5\nb,2,3,4,\nc,4,5,4,\n")).conflicts,
      (std::vector<ConflictPair>{{0, 1}}));
}

TEST(ProblemText, RefusesGapsThatItCannotKeep) {
  const std::string header = "id,lower,upper,size,gaps\n";
  EXPECT_ERROR(parse(header + "a,0,9,4,2-5@0:2\n"), "f.csv:2: gap 2-5@0:2 found, of some of");
  EXPECT_ERROR(parse(header + "a,0,9,4,2\n"), "f.csv:2: gap '2' found; expected two times");
  EXPECT_ERROR(parse(header + "a,0,9,4,8-10\n"), "f.csv:2: gap 8-10 found; expected one within");
  EXPECT_ERROR(parse(header + "a,0,9,4,5-2\n"), "f.csv:2: lower 5 and upper 2 found");
}

TEST(ProblemText, ReadsConflicts) {
  const PlanningProblem problem = right(parse(std::string(kHeader) + "a,0,1,4\nb,0,1,4\n"));
  EXPECT_EQ(right(parse_conflicts("a,b\nb,a\na,a\n", "c.csv", problem)),
            (std::vector<ConflictPair>{{1, 0}}));
  EXPECT_ERROR(parse_conflicts("", "c.csv", problem), "c.csv:1: no header found");
  EXPECT_ERROR(parse_conflicts("a,b\na,z\n", "c.csv", problem), "c.csv:2: id 'z' found");
  EXPECT_ERROR(parse_conflicts("a,b\na\n", "c.csv", problem), "c.csv:2: 1 cells found");
}

TEST(ProblemText, ReadsPools) {
  EXPECT_EQ(right(parse_pool("fast")), Pool{.name = "fast"});
  EXPECT_EQ(right(parse_pool("fast:size=8,align=4,access=ro")),
            (Pool{.name = "fast", .limit_bytes = 8, .alignment = 4, .access = PoolAccess::ro}));
  EXPECT_EQ(right(parse_pool("fast:size=8", {.alignment = 64})),
            (Pool{.name = "fast", .limit_bytes = 8, .alignment = 64}));
  EXPECT_ERROR(parse_pool(""), "pool ''");
  EXPECT_ERROR(parse_pool("fast:size=-1"), "pool fast: 'size=-1' found; expected size=N, align=A");
  EXPECT_ERROR(parse_pool("fast:speed=3"), "pool fast: 'speed=3' found");
}

RC_GTEST_PROP(ProblemText, ReadsWhatItPrints, ()) {
  const int buffers = *rc::gen::inRange(1, 30);
  PlanningProblem problem =
      random_planning_problem(buffers, *rc::gen::inRange<uint64_t>(0, 1 << 20));
  const auto conflicts = problem.conflicts;
  PlanningProblem read = right(parse_problem(print_problem(problem), "f", problem.pools));
  if (conflicts) read.conflicts = right(parse_conflicts(print_conflicts(problem), "c", read));
  RC_ASSERT(read == problem);
  const PlanningResult planned = right(plan_memory(problem, "greedy_by_size"));
  PlanningProblem fixed =
      right(parse_problem(print_plan(problem, planned.plan), "p", problem.pools));
  fixed.conflicts = conflicts;
  RC_ASSERT(right(plan_memory(fixed, "greedy_by_conflicts")).plan == planned.plan);
}

}  // namespace
}  // namespace dovetail::testing
