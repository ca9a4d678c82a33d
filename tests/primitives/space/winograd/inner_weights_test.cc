// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/inner_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/primitives/lowered.h"
#include "tests/support/algorithm_points.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::default_point_of;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::space_of;

// W.wino has 57 MB by F(4,3), W 7.
constexpr const char* kDeep = "c3d:ci=256,co=256,depth=4,h=14,w=14,k=3,p=1";

// W.wino runs in a loop of the product.
bool are_inside(const Trace& trace) {
  return std::ranges::find(trace.loops, "W.wino", &StageLoops::stage) != trace.loops.end();
}

TEST(InnerWeights, AreAnAlternativeBesideTransformedOnes) {
  const Space space = space_of(kDeep);
  EXPECT_GOLDEN(print(space.decode(default_point_of(space, "winograd_4_inner"))),
                "primitives/space/winograd_inner_weights_trace");
  EXPECT_FALSE(are_inside(space.decode(default_point_of(space, "winograd_4"))));
}

// Each of 57 MB serves all 16 tiles, and is asked for ahead.
TEST(InnerWeights, ApartTheyAreReadOnceByDefault) {
  const Space space = space_of(kDeep);
  EXPECT_GOLDEN(print(space.decode(default_point_of(space, "winograd_4"))),
                "primitives/space/winograd_streamed_weights_trace");
}

// 98 tiles a column: their sums, read and written again for each part of the reduction, would leave
// the cache.
TEST(InnerWeights, ArePartsOfAllTheReductionWhereRowsAreMany) {
  const Space space = space_of("c3d:ci=128,co=128,depth=8,h=28,w=28,k=3,p=1");
  const std::string trace = print(space.decode(default_point_of(space, "winograd_4_inner")));
  EXPECT_NE(trace.find("loops W.wino: compute_at(stage=Y.wino, loop=o.0, scope=workspace)"),
            std::string::npos)
      << trace;
}

// Only W itself is stored, not the larger W.wino.
TEST(InnerWeights, NeedNoBufferOfTheirOwnAtBuildTime) {
  const Space space = space_of(kDeep);
  const Trace trace = space.decode(default_point_of(space, "winograd_4_inner"));
  const Result<Program> program = lowered(operator_of(kDeep), trace, cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(std::ranges::none_of(program->kernels, &Kernel::prepares));
  EXPECT_TRUE(std::ranges::none_of(
      program->buffers, [](const Buffer& buffer) { return buffer.role == BufferRole::prepared; }));
}

TEST(InnerWeights, EveryPointIsRight) {
  Target small_cache = cpu(4, 16);
  small_cache.l2_bytes = 8 << 10;
  Target threads = small_cache;
  threads.name.threads = 2;
  int ahead = 0;
  for (const char* spec :
       {"c3d:n=2,ci=4,co=8,depth=4,h=3,w=5,k=3,p=1+bias+relu", "c3d:ci=6,co=20,depth=4,h=4,w=5,k=3",
        "c3d:ci=6,co=20,depth=4,h=4,w=5,k=3,p=1+add"}) {
    const Operator op = operator_of(spec);
    for (const Target& target : {small_cache, threads}) {
      const Space space = space_of(spec, target);
      std::mt19937_64 rng(13);
      int inside = 0;
      for (int drawn = 0; drawn < 4000 && inside < 4; ++drawn) {
        const Trace trace = space.decode(space.sample(rng));
        if (!are_inside(trace)) continue;
        ++inside;
        ahead += print(trace).find("prefetch(tensor=W, ") != std::string::npos ? 1 : 0;
        EXPECT_TRUE(testing::survives_printing(trace));
        const Result<Program> program = lowered(op, trace, target);
        ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
        EXPECT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
      }
      EXPECT_EQ(inside, 4) << spec;
    }
  }
  EXPECT_GT(ahead, 0);
}

// A workspace belongs to an iteration of a shared loop, so that threads share two parts, not eight.
TEST(InnerWeights, AreOfFewPartsWhereThreadsShareThem) {
  Target threads = cpu();
  threads.name.threads = 2;
  const Space space = space_of(kDeep, threads);
  const Trace trace = space.decode(default_point_of(space, "winograd_4_inner"));
  ASSERT_TRUE(are_inside(trace));
  const Result<Program> program = lowered(operator_of(kDeep), trace, threads);
  ASSERT_TRUE(program) << program.error().message;
  const auto made = std::ranges::find(program->buffers, "W.wino", &Buffer::name);
  ASSERT_NE(made, program->buffers.end());
  EXPECT_EQ(made->layout.axes.front().extent(), 2) << print(trace);
}

TEST(InnerWeights, AreNotForDevicesGroupsSmallOnesOrThoseThatGrowLittle) {
  const auto has_a_choice = [](const Space& space) {
    return std::ranges::any_of(space.parameters(), [](const Parameter& parameter) {
      return parameter.kind == ParameterKind::compute_at && parameter.tensor == "W.wino";
    });
  };
  EXPECT_TRUE(has_a_choice(space_of(kDeep)));
  EXPECT_FALSE(has_a_choice(space_of(kDeep, opencl_with_images())));
  EXPECT_FALSE(has_a_choice(space_of("c3d:ci=16,co=32,depth=4,h=14,w=14,k=3,p=1")));
  EXPECT_FALSE(has_a_choice(space_of("c2d:ci=512,co=512,h=14,w=14,k=3,p=1")));  // 4 for 1
}

}  // namespace
}  // namespace dovetail
