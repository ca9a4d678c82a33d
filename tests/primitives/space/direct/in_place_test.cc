// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/direct/direct.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/reduced_space.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/points.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::operator_of;
using testing::right;

Space framework_space(const char* spec, const Target& target = cpu()) {
  return right(build_space(
      {region_of(operator_of(spec)), framework_border(region_of(operator_of(spec)))}, target));
}

TEST(InPlaceSpace, StandsBesideTheOthersOnlyWhereAllIsPlain) {
  const char* spec = "c2d:ci=16,co=16,h=8,w=8,k=1";
  EXPECT_EQ(framework_space(spec).parameters()[0].labels,
            (std::vector<std::string>{"direct", "in_place"}));
  EXPECT_NE(testing::space_of(spec).parameters()[0].name, "algorithm");
}

// 8 x 8 outputs are whole vectors of 16 along both dims as one: nothing is converted.
TEST(InPlaceSpace, ConvertsNothingByDefaultWhereVectorsAreFull) {
  const Space space = framework_space("c2d:ci=16,co=16,h=8,w=8,k=1+bias+relu");
  const Region region = space.spec().region;
  const Program program =
      right(lower(right(apply(space.default_trace(), region, space.spec().border, cpu())), cpu()));
  EXPECT_EQ(program.kernels.size(), 1U) << print(program);
  EXPECT_NE(print(program).find("in 0..16 vectorized"), std::string::npos) << print(program);
}

TEST(InPlaceSpace, KeepsItsBorderWhenReduced) {
  const Space space = framework_space("c2d:ci=16,co=16,h=8,w=8,k=1");
  EXPECT_EQ(right(reduced_space(space, {})).spec(), space.spec());
}

TEST(InPlaceSpace, HasRightPoints) {
  std::mt19937_64 rng(3);
  for (const char* spec :
       {"c2d:ci=8,co=6,h=6,w=8,k=1+bias+add+relu", "c3d:ci=3,co=4,depth=2,h=4,w=6,k=1",
        "grp:ci=8,co=8,h=4,w=8,k=1,g=2", "dep:c=3,h=6,w=16,k=3,p=1", "gmm:m=6,n=16,k=10",
        "c2d:ci=3,co=5,h=6,w=16,k=3,p=1", "c1d:ci=3,co=4,w=16,k=5,p=2"}) {
    const Space space = framework_space(spec, cpu(8, 16));
    const Region region = space.spec().region;
    for (int i = 0; i < 20; ++i) {
      const Trace trace = space.decode(space.sample(rng));
      const auto schedule = apply(trace, region, space.spec().border, cpu(8, 16));
      ASSERT_TRUE(schedule) << schedule.error().message << print(trace);
      const auto program = lower(*schedule, cpu(8, 16));
      if (!program) continue;
      ASSERT_TRUE(verify(*program)) << verify(*program).error().message << print(*program);
      EXPECT_TRUE(computes(*space.spec().region.op, trace, *program)) << spec << "\n"
                                                                      << print(trace);
    }
  }
}

// A loop over three fused dims reads no box that a copy could have.
TEST(InPlaceSpace, CopiesNothingThatThreeDimsFused) {
  const auto offers_copies = [](const char* spec) {
    const Space space = framework_space(spec, cpu(8, 16));
    std::mt19937_64 rng(3);
    for (int draw = 0; draw < 100; ++draw) {
      const std::string trace = print(space.decode(testing::busy_point(space, rng)));
      if (trace.find("layout X: fuse") == 0 && trace.find("cache_read(tensor=X") != trace.npos)
        return true;
    }
    return false;
  };
  EXPECT_TRUE(offers_copies("c2d:ci=3,co=4,h=12,w=12,k=1"));
  EXPECT_FALSE(offers_copies("c3d:ci=3,co=4,depth=4,h=12,w=12,k=1"));
}

}  // namespace
}  // namespace dovetail
