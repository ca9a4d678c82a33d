// SPDX-License-Identifier: Apache-2.0
// Random points of derived spaces, from trace to device: the whole way of a candidate.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/backends/backends.h"
#include "core/codegen/opencl/emit.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

constexpr const char* kSpecs[] = {
    "c2d:ci=3,co=5,h=7,w=13,k=3,p=1+bias+relu",
    "c2d:ci=16,co=8,h=7,w=7,k=3,p=1",
    "c2d:ci=4,co=17,h=17,w=13,k=3,s=2,p=1+bias",
    "c2d:n=2,ci=8,co=12,h=9,w=8,k=3x1,p=2:1x0+relu6",
    "c2d:ci=1,co=1,h=5,w=6,k=5,p=3",
    "c2d:ci=32,co=16,h=8,w=8,k=1+add+relu",
    "gmm:m=13,n=17,k=7+bias",
    "gmm:b=3,m=8,n=16,k=12,ta=1",
    "gmm:m=1,n=64,k=32,tb=1+relu",
    "grp:ci=8,co=12,h=6,w=5,k=3,p=1,g=2+bias",
    "dep:c=9,h=7,w=6,k=3,s=2,p=1",
    "t2d:ci=5,co=6,h=3,w=4,k=3,s=2,p=1,op=1+relu",
    "t3d:ci=3,co=4,depth=2,h=3,w=2,k=4,s=2,p=1",
};

constexpr size_t kProgramsPerSpec = 16;

// The first points of a space as a campaign would draw them, lowered; those of algorithms are left
// out: they round differently, and are judged by measuring, with a tolerance.
std::vector<Program> programs_of(const Operator& op, const Target& target) {
  std::vector<Program> programs;
  const Space space = *build_space(op, target);
  std::mt19937_64 random(7);
  Trace trace = space.default_trace();
  while (programs.size() < kProgramsPerSpec) {
    if (!trace.algorithm) {
      SCOPED_TRACE(print(trace));
      const auto schedule = apply(trace, op, target);
      EXPECT_TRUE(schedule) << schedule.error().message;
      if (!schedule) break;
      const auto program = lower(*schedule, target);
      EXPECT_TRUE(program) << program.error().message;
      if (!program) break;
      programs.push_back(*program);
    }
    trace = space.decode(space.sample(random));
  }
  return programs;
}

class OpenclSpacePoints : public ::testing::TestWithParam<const char*> {};

TEST_P(OpenclSpacePoints, AgreeWithTheInterpreter) {
  DOVETAIL_REQUIRE_OPENCL();
  const std::vector<Program> programs =
      programs_of(*parse_operator(GetParam()), (*first_device())->target());
  EXPECT_EQ(programs.size(), kProgramsPerSpec);
  for (const Program& program : programs) ASSERT_TRUE(device_agrees(program)) << print(program);
}

#ifdef DOVETAIL_HAVE_LLVM
// Points of the H200's spaces have what PoCL's have not: copies in local memory, two at a time,
// sums shared by a group.
TEST_P(OpenclSpacePoints, ForNvidiaAgreeWithTheInterpreterAsPtx) {
  const std::string profile = (source_dir() / "docs/examples/h200_ptx.profile").string();
  const Target target = right(resolve_target("ptx:profile=" + profile));
  const Operator op = *parse_operator(GetParam());
  for (const Program& program : programs_of(op, target))
    ASSERT_TRUE(agrees_as_ptx(program, target)) << print(program);
}
#endif

INSTANTIATE_TEST_SUITE_P(Specs, OpenclSpacePoints, ::testing::ValuesIn(kSpecs));

TEST(OpenclSpaces, HavePointsWithImages) {
  DOVETAIL_REQUIRE_OPENCL();
  int64_t with_images = 0;
  for (const char* spec : kSpecs) {
    const auto programs = programs_of(*parse_operator(spec), (*first_device())->target());
    with_images += std::ranges::count_if(programs, uses_images);
  }
  EXPECT_GE(with_images, 10);
}

}  // namespace
}  // namespace dovetail::testing
