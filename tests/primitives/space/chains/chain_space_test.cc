// SPDX-License-Identifier: Apache-2.0
//
// Spaces of chains of products: every point is a legal trace, and computes the region.
#include "primitives/space/chains/chain_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/restricted.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/space/chains/chain_specs.h"
#include "tests/primitives/volume.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::kChainSpecs;
using testing::right;

constexpr const char* kBlock2 =
    "E[m,y,x]=min(max(sum(X[i,y,x]*U[m,i])+B[m],0),6);"
    "D[m,h,w]=min(max(sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s])+C[m],0),6);"
    "Y[o,h,w]=sum(D[m,h,w]*Z[o,m])+G[o]"
    ":m=96,y=112,x=112,h=56,w=56,i=16,r=3,s=3,o=24,const=U.V.Z.B.C.G";

Region region_of_spec(const char* spec) { return right(parse_task_spec(spec), spec).region; }

Space chain_of(const char* spec, const Target& target) {
  return right(build_space(right(parse_task_spec(spec), spec), target), spec);
}

int count_attached(const Trace& trace) {
  return static_cast<int>(std::ranges::count_if(trace.loops, [](const StageLoops& line) {
    if (line.primitives.empty()) return false;
    const auto* inside = std::get_if<loop::ComputeAt>(&line.primitives.front());
    return inside != nullptr && inside->scope == TileScope::workspace;
  }));
}

bool has_ring(const Trace& trace) {
  return std::ranges::any_of(trace.loops, [](const StageLoops& line) {
    return line.primitives.size() > 1 && std::get_if<loop::Roll>(&line.primitives[1]) != nullptr;
  });
}

// drawn(40) points, the default first; they differ in how many stages are attached in workspace.
void judge_points(const char* spec, const Target& target) {
  std::mt19937_64 rng(5);
  const Space space = chain_of(spec, target);
  std::map<int, int> seen;
  for (int n = 0; n < testing::drawn(40); ++n) {
    const Trace trace = space.decode(n == 0 ? space.default_point() : space.sample(rng));
    const auto schedule = apply(trace, space.spec().region, target);
    ASSERT_TRUE(schedule) << spec << "\n" << schedule.error().message << "\n" << print(trace);
    const auto program = lower(*schedule, target);
    ASSERT_TRUE(program) << spec << "\n" << program.error().message << "\n" << print(trace);
    ASSERT_TRUE(testing::computes(space.spec().region, *program)) << spec << "\n" << print(trace);
    ++seen[count_attached(trace)];
  }
  EXPECT_GT(seen.size(), 1u) << spec;
}

TEST(ChainSpace, PointsAreLegalAndRight) {
  for (const char* spec : kChainSpecs) judge_points(spec, cpu(4, 16));
}

TEST(ChainSpace, PointsOfWideVectorsAreLegalAndRight) {
  for (const char* spec : kChainSpecs) judge_points(spec, cpu(16, 32));
}

TEST(ChainSpace, PointsForSeveralThreadsAreLegalAndRight) {
  Target target = cpu(4, 16);
  target.name.threads = 2;
  for (const char* spec : kChainSpecs) judge_points(spec, target);
}

// Its expanded tensor has 4.8 MB: rows of it stay in the second-level cache.
TEST(ChainSpace, ABlockOfMobileNetIsOneKernelByDefault) {
  const Trace trace = chain_of(kBlock2, cpu()).default_trace();
  EXPECT_GOLDEN(print(trace), "primitives/space/chain_trace");
  EXPECT_EQ(count_attached(trace), 2);
  EXPECT_TRUE(has_ring(trace));
}

// 0.2 MB of intermediates stay in the caches anyway, and weights would be read in each round.
TEST(ChainSpace, ALateBlockIsThreeKernelsByDefault) {
  const Trace trace =
      chain_of(
          "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i]));D[m,h,w]=relu(sum(E[m,h+r-1,w+s-1]*V[m,r,s]));"
          "Y[o,h,w]+=D[m,h,w]*Z[o,m]:m=960,y=7,x=7,h=7,w=7,i=160,r=3,s=3,o=160,const=U.V.Z",
          cpu())
          .default_trace();
  EXPECT_EQ(count_attached(trace), 0);
}

TEST(ChainSpace, UnfusedHasAKernelForEachStage) {
  const Space space = unfused(chain_of(kBlock2, cpu()));
  std::mt19937_64 rng(2);
  for (int n = 0; n < 20; ++n)
    EXPECT_EQ(count_attached(space.decode(n == 0 ? space.default_point() : space.sample(rng))), 0);
}

TEST(Chain, IsARegionWhoseStagesAreReadOnce) {
  const auto is_chain = [](const char* spec) {
    return derive_chain(region_of_spec(spec), cpu(4, 16)).has_value();
  };
  EXPECT_TRUE(is_chain(kChainSpecs[0]));
  EXPECT_FALSE(is_chain("Y[i,l]+=E[i,j]*V[j,l]:i=12,j=32,l=9,const=V"));
  // read twice; not in whole vectors; a step that is no product between two products
  EXPECT_FALSE(
      is_chain("E[i,j]+=X[i,k]*U[k,j];Y[i,l]=sum(E[i,j]*V[j,l])+E[i,l]"
               ":i=12,j=8,k=5,l=8,const=U.V"));
  EXPECT_FALSE(is_chain("E[i,j]+=X[i,k]*U[k,j];Y[i,l]+=E[i,j]*V[j,l]:i=12,j=6,k=5,l=9,const=U.V"));
  EXPECT_FALSE(
      is_chain("E[i,j]+=X[i,k]*U[k,j];F[i,j]=exp(E[i,j]);Y[i,l]+=F[i,j]*V[j,l]"
               ":i=12,j=8,k=5,l=9,const=U.V"));
}

TEST(Chain, RoundsNeedTheRowsThatTheirReadersRead) {
  const Chain chain = *derive_chain(region_of_spec(kBlock2), cpu());
  EXPECT_EQ(chain.stages[0].step, 2);
  EXPECT_EQ(chain.stages[0].window, 3);
  ChainPlan plan{.attached = {true, true, false}, .band = 4};
  EXPECT_EQ(rows_in_round(chain, plan, 1), 4);
  EXPECT_EQ(rows_in_round(chain, plan, 0), 8);  // new ones: one more is kept
  plan.keeps_rows = false;
  EXPECT_EQ(rows_in_round(chain, plan, 0), 9);
  plan.attached = {true, false, false};
  EXPECT_EQ(plan.host(0), 1u);
  EXPECT_FALSE(plan.is_host(2));
}

}  // namespace
}  // namespace dovetail
