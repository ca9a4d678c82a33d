// SPDX-License-Identifier: Apache-2.0
//
// Random traces on the real backends, measured as in a campaign: each that is accepted builds,
// runs, and passes the campaign's output check.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <span>

#include "core/backends/opencl/opencl_targets.h"
#include "measure/runner/local_runner.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/odd_specs.h"
#include "tests/primitives/placements.h"
#include "tests/primitives/random/random_traces.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/cpu_target.h"
#endif

namespace dovetail {
namespace {

using testing::kHalfSpecs;
using testing::kOddSpecs;

struct Drawn {
  std::string spec, trace;
};

// A free trace may unroll hundreds of points, over which PoCL's compiler takes half a minute on a
// busy machine: what is asked here is whether they are right, not how long they take to build.
MeasureOptions patient() {
  MeasureOptions options;
  options.build_timeout_seconds = 300;
  options.run_timeout_seconds = 120;
  options.driver_run_timeout_floor_seconds = 60;
  return options;
}

// Half points of the space, half free traces; those that lower go through the runner.
class MeasuredTraces {
 public:
  explicit MeasuredTraces(const Target& target)
      : target_(target), runner_(*make_local_runner(target, patient())) {}

  void measure(const char* spec, int points, int free_traces) {
    const Operator op = testing::operator_of(spec);
    const Space space = *build_space(op, target_);
    for (int k = 0; k < points + free_traces; ++k) {
      const bool from_space = k < points;
      const Trace trace =
          from_space ? space.decode(space.sample(rng_)) : testing::random_trace(op, target_, rng_);
      const Result<Program> program = testing::lowered(op, trace, target_);
      if (from_space) {
        EXPECT_TRUE(program) << program.error().message << "\n" << print(trace);
      }
      if (program) submit(op, trace, *program);
    }
  }

  // Points of the space with their stages at random places; those that are legal.
  void measure_placements(const char* spec, int points) {
    const Operator op = testing::operator_of(spec);
    const Space space = *build_space(op, target_);
    for (int k = 0; k < points; ++k) {
      const Trace trace =
          testing::with_placements(op, space.decode(space.sample(rng_)), target_, rng_);
      const Result<Program> program = testing::lowered(op, trace, target_);
      if (program) submit(op, trace, *program);
    }
  }

  int finish() {
    while (!waiting_.empty()) take_one();
    return right_;
  }

 private:
  void submit(const Operator& op, const Trace& trace, const Program& program) {
    runner_->submit({.trial = ++trials_,
                     .spec = op,
                     .target = print(target_.name),
                     .trace = trace,
                     .program = program,
                     .best_seconds = 1e-9});  // what counts is the check: timing may stop at once
    waiting_.push_back({print(op), print(trace)});
    if (waiting_.size() > 8) take_one();
  }

  void take_one() {
    const MeasureResult result = runner_->wait();
    EXPECT_EQ(result.status, Status::ok) << print(result.status) << ": " << result.reason << "\n"
                                         << waiting_.front().spec << "\n"
                                         << waiting_.front().trace;
    right_ += result.status == Status::ok ? 1 : 0;
    waiting_.pop_front();
  }

  Target target_;
  std::unique_ptr<Runner> runner_;
  std::mt19937_64 rng_{11};
  std::deque<Drawn> waiting_;
  int64_t trials_ = 0;
  int right_ = 0;
};

#if DOVETAIL_HAVE_LLVM
TEST(MeasuredTrace, OnThisCpuIsRight) {
  MeasuredTraces traces(*cpu_target({}));
  for (const char* spec : kOddSpecs) traces.measure(spec, 10, 20);
  EXPECT_GE(traces.finish(), 300);
}

TEST(MeasuredTrace, WithStagesAtAnyPlaceOnThisCpuIsRight) {
  MeasuredTraces traces(*cpu_target({}));
  for (const char* spec : kOddSpecs) traces.measure_placements(spec, 10);
  EXPECT_GE(traces.finish(), 100);
}

TEST(MeasuredTrace, InHalfPrecisionIsCloseEnough) {
  MeasuredTraces traces(*cpu_target({}));
  for (const char* spec : kHalfSpecs) traces.measure(spec, 20, 20);
  EXPECT_GE(traces.finish(), 20 * static_cast<int>(std::size(kHalfSpecs)));
}
#endif

TEST(MeasuredTrace, OnAnOpenclDeviceIsRight) {
  const Result<Target> target = opencl_target(*parse_target_name("opencl"));
  if (!target) GTEST_SKIP() << target.error().message;
  MeasuredTraces traces(*target);
  for (const char* spec : kOddSpecs) traces.measure(spec, 2, 1);
  EXPECT_GE(traces.finish(), 2 * static_cast<int>(std::size(kOddSpecs)));
}

TEST(MeasuredTrace, InHalfPrecisionOnAnOpenclDeviceIsCloseEnough) {
  const Result<Target> target = opencl_target(*parse_target_name("opencl"));
  if (!target) GTEST_SKIP() << target.error().message;
  MeasuredTraces traces(*target);
  for (const char* spec : kHalfSpecs) traces.measure(spec, 3, 3);
  EXPECT_GE(traces.finish(), 3 * static_cast<int>(std::size(kHalfSpecs)));
}

TEST(MeasuredTrace, WithStagesAtAnyPlaceOnAnOpenclDeviceIsRight) {
  const Result<Target> target = opencl_target(*parse_target_name("opencl"));
  if (!target) GTEST_SKIP() << target.error().message;
  MeasuredTraces traces(*target);
  for (const char* spec : kOddSpecs) traces.measure_placements(spec, 4);
  EXPECT_GE(traces.finish(), 30);
}

}  // namespace
}  // namespace dovetail
