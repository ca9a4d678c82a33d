// SPDX-License-Identifier: Apache-2.0
#include "tests/measure/regions_here.h"

#include <gtest/gtest.h>

#include "core/ir/region/task_spec.h"
#include "measure/runner/run_here.h"
#include "primitives/space/space.h"
#include "tests/primitives/memory_bound_specs.h"
#include "tests/primitives/random/random_specs.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/sliding_traces.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

::testing::AssertionResult computes_here(const Region& region, const Program& program,
                                         const Target& target) {
  const NamedArrays inputs = make_region_inputs(region, 1);
  const Result<RunHere> run = run_here(program, target, inputs);
  if (!run) return ::testing::AssertionFailure() << run.error().message;
  return are_right(region, inputs, run->outputs);
}

}  // namespace

void expect_written_regions_right(const Target& target) {
  for (const char* spec : kRegionSpecs) {
    const Region region = written_region(spec);
    const Result<Program> program = lowered(region, {}, target);
    ASSERT_TRUE(program) << spec << "\n" << program.error().message;
    EXPECT_TRUE(computes_here(region, *program, target)) << spec << "\n" << print(*program);
  }
}

void expect_random_traces_right(const Target& target, int traces_each) {
  std::mt19937_64 rng(5);
  int run = 0;
  for (const char* spec : kRegionSpecs) {
    const Region region = written_region(spec);
    for (int k = 0; k < traces_each; ++k) {
      const Trace trace = random_trace(region, target, rng);
      const Result<Program> program = lowered(region, trace, target);
      if (!program) continue;
      ++run;
      EXPECT_TRUE(computes_here(region, *program, target)) << spec << "\n"
                                                           << print(trace) << print(*program);
    }
  }
  EXPECT_GT(run, 20);
}

void expect_random_regions_right(const Target& target, int regions) {
  std::mt19937_64 rng(9);
  for (int k = 0; k < regions; ++k) {
    const std::string spec = random_spec(rng);
    const Region region = written_region(spec);
    const Space space = right(build_space(region, target), spec);
    for (const Trace& trace : {space.default_trace(), random_trace(region, target, rng)}) {
      const Result<Program> program = lowered(region, trace, target);
      if (!program && trace != space.default_trace()) continue;
      ASSERT_TRUE(program) << program.error().message << "\n" << spec;
      EXPECT_TRUE(computes_here(region, *program, target)) << spec << "\n"
                                                           << print(trace) << print(*program);
    }
  }
}

void expect_points_right(const Target& target, int points) {
  std::mt19937_64 rng(8);
  for (const char* spec : kMemoryBoundSpecs) {
    const TaskSpec task = right(parse_task_spec(spec), spec);
    const Space space = right(build_space(task, target), spec);
    for (int k = 0; k < points; ++k) {
      const Trace trace = space.decode(k == 0 ? space.default_point() : space.sample(rng));
      const std::string point = spec + ("\n" + print(trace));
      const Program program = right(lowered(task.region, trace, target), point);
      EXPECT_TRUE(computes_here(task.region, program, target)) << spec << "\n"
                                                               << print(trace) << print(program);
    }
  }
}

void expect_bottleneck_right(const Target& target) {
  const Region region = written_region(kBottleneckSpec);
  const Result<Program> program = lowered(region, *parse_trace(kBottleneckTrace), target);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes_here(region, *program, target)) << print(*program);
}

void expect_sliding_traces_right(const Target& target) {
  std::mt19937_64 rng(6);
  for (const char* spec : kSlidingSpecs) {
    const Region region = written_region(spec);
    int rolled = 0;
    for (int k = 0; k < 200 && rolled < 4; ++k) {
      const Trace trace = sliding_trace(region, target, rng);
      if (!rolls(trace)) continue;
      const Result<Program> program = lowered(region, trace, target);
      if (!program) continue;
      ++rolled;
      EXPECT_TRUE(computes_here(region, *program, target)) << spec << "\n"
                                                           << print(trace) << print(*program);
    }
    EXPECT_EQ(rolled, 4) << spec;
  }
}

}  // namespace dovetail::testing
