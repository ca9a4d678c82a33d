// SPDX-License-Identifier: Apache-2.0
//
// Spaces of regions without a product: every point is a legal trace, and computes the region.
#include "primitives/space/memory_bound/memory_bound_space.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/memory_bound_specs.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/volume.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::memory_bound {
namespace {

using testing::right;

using testing::kMemoryBoundSpecs;

Space memory_bound_space_of(const char* spec, const Target& target) {
  return right(build_space(right(parse_task_spec(spec), spec), target), spec);
}

void judge_points(const Target& target, const char* spec, int points) {
  std::mt19937_64 rng(7);
  const Space space = memory_bound_space_of(spec, target);
  for (int n = 0; n < points; ++n) {
    const Trace trace = space.decode(n == 0 ? space.default_point() : space.sample(rng));
    const auto schedule = apply(trace, space.spec().region, target);
    ASSERT_TRUE(schedule) << spec << "\n" << schedule.error().message << "\n" << print(trace);
    const auto program = lower(*schedule, target);
    ASSERT_TRUE(program) << spec << "\n" << program.error().message << "\n" << print(trace);
    ASSERT_TRUE(testing::computes(space.spec().region, *program))
        << spec << "\n"
        << print(trace) << print(*program);
  }
}

TEST(MemoryBoundSpace, PointsAreLegalAndRight) {
  for (const char* spec : kMemoryBoundSpecs) {
    judge_points(testing::cpu(4, 16), spec, testing::drawn(24));
    judge_points(testing::cpu(16, 32), spec, testing::drawn(24));
  }
}

// The parts that are joined end where vectors do.
TEST(MemoryBoundSpace, PointsOfConcatenationsAreLegalAndRight) {
  const char* const joined =
      "Y[i,j]=select(j<32,A[i,j],select(j<48,B[i,j-32],C[i,j-48])):i=3,j=96,A=3x32,B=3x16,C=3x48";
  judge_points(testing::cpu(4, 16), joined, testing::drawn(24));
  judge_points(testing::cpu(16, 32), joined, testing::drawn(24));
  judge_points(testing::opencl_with_images(), joined, testing::drawn(24));
}

// More than a lowering parts; every other one is transposed.
TEST(MemoryBoundSpace, PointsOfJoinsOfManyAreLegalAndRight) {
  for (const int many : {9, 24}) {
    std::string spec, shapes;
    for (int k = 0; k < many; ++k) {
      const std::string name = fmt::format("A{}", k);
      const std::string c = k == 0 ? "c" : fmt::format("c-{}", 8 * k);
      const std::string read = name + (k % 2 == 0 ? "[p," + c + "]" : "[" + c + ",p]");
      spec += k + 1 < many ? fmt::format("select(c<{},{},", 8 * k + 8, read) : read;
      shapes += fmt::format(",{}={}", name, k % 2 == 0 ? "19x8" : "8x19");
    }
    spec = fmt::format("Y[p,c]={}{}:p=19,c={}{}", spec,
                       std::string(static_cast<size_t>(many - 1), ')'), 8 * many, shapes);
    judge_points(testing::cpu(4, 16), spec.c_str(), testing::drawn(12));
    judge_points(testing::cpu(16, 32), spec.c_str(), testing::drawn(12));
  }
}

// A row that fits by itself does not fit four times, so that rounds have fewer of them.
TEST(MemoryBoundSpace, RoundsHaveRowsThatFitWhereTheyAreKept) {
  for (const int columns : {4096, 4097, 6625, 16000, 32000}) {
    const std::string softmax = fmt::format(
        "M[a,z]max=A[a,b];E[a,b]=exp(A[a,b]-M[a,0]);D[a,z]+=E[a,b];Y[a,b]=E[a,b]/D[a,0]"
        ":a=40,b={},z=1",
        columns);
    const Space space = memory_bound_space_of(softmax.c_str(), testing::cpu(16, 32));
    EXPECT_FALSE(space.parameters().empty()) << softmax;
    EXPECT_THAT(print(space.default_trace()), ::testing::HasSubstr("vectorize")) << softmax;
    std::mt19937_64 rng(7);
    for (int n = 0; n < 8; ++n) {
      const Trace trace = space.decode(space.sample(rng));
      const auto schedule = apply(trace, space.spec().region, space.target());
      EXPECT_TRUE(schedule) << softmax << schedule.error().message << print(trace);
    }
  }
}

TEST(MemoryBoundSpace, PointsForDevicesAreLegalAndRight) {
  for (const char* spec : kMemoryBoundSpecs)
    judge_points(testing::opencl_with_images(), spec, testing::drawn(24));
}

// A pooling of halves is a maximum in f32, and its rounding.
TEST(MemoryBoundSpace, WhatFinishesASumOnADeviceIsInItsKernel) {
  const Target device = testing::target_of_profile("h200.profile");
  for (const char* spec :
       {"B[n,h,w,c]max=A[n,2*h+r,2*w+s,c];Y[n,h,w,c]=B[n,h,w,c]:n=1,h=5,w=5,c=16,r=3,s=3,"
        "A=1x12x12x16xf16,Y=f16",
        "B[n,c]=sum(A[n,h,w,c])/49;Y[n,c]=B[n,c]:n=2,h=7,w=7,c=16,A=f16,Y=f16"}) {
    const Space space = memory_bound_space_of(spec, device);
    const Region& region = space.spec().region;
    const Program program =
        right(lower(right(apply(space.default_trace(), region, device)), device));
    EXPECT_EQ(program.kernels.size(), 1U) << print(program);
    EXPECT_TRUE(testing::computes(region, program)) << print(program);
  }
}

TEST(MemoryBoundSpace, WithTheFrameworksBorderIsRight) {
  const Target target = testing::cpu(16, 32);
  TaskSpec spec = right(parse_task_spec(kMemoryBoundSpecs[6]), "pooling");
  spec.border = framework_border(spec.region);
  const Space space = right(build_space(spec, target), "pooling");
  EXPECT_EQ(space.parameters()[0].name, "algorithm");
  EXPECT_EQ(space.default_point()[0], 1) << "the only one with vectors";
  std::mt19937_64 rng(3);
  for (int n = 0; n < 12; ++n) {
    const auto schedule = apply(space.decode(space.sample(rng)), spec.region, spec.border, target);
    ASSERT_TRUE(schedule) << schedule.error().message;
    const auto program = lower(*schedule, target);
    EXPECT_TRUE(program) << program.error().message << print(space.decode(space.default_point()));
  }
}

// Channels last of what fills the caches: each sixteen channels are read to their ends.
TEST(MemoryBoundSpace, LargeTransposedCopiesFollowWhatTheyRead) {
  const Target target = testing::cpu(16, 32);
  const auto order = [&](int64_t images) {
    const std::string spec =
        "Y[n,h,w,c]=A[n,c,h,w]:n=" + std::to_string(images) + ",h=56,w=56,c=64";
    return print(memory_bound_space_of(spec.c_str(), target).default_trace());
  };
  EXPECT_NE(order(64).find("reorder(a, d.0, b_c.0, b_c.1.0, d.1, b_c.1.1)"), std::string::npos)
      << order(64);
  EXPECT_NE(order(1).find("b_c.0, d.0, b_c.1.0, d.1, b_c.1.1)"), std::string::npos) << order(1);
}

}  // namespace
}  // namespace dovetail::memory_bound
