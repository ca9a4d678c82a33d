// SPDX-License-Identifier: Apache-2.0
//
// Spaces of regions without a product: every point is a legal trace, and computes the region.
#include "primitives/space/streams/stream_space.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/volume.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::right;

constexpr const char* kStreamSpecs[] = {
    "Y[n,c,h,w]=max(X[n,c,h,w]+Z[n,c,h,w],0):n=1,c=6,h=5,w=7",
    "Y[n,c,h,w]=X[n,c,h,w]*S[c]+T[c]:n=2,c=5,h=3,w=13",
    "Y[i,j]=X[i,j]/(1+exp(-X[i,j])):i=7,j=37",
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]=1/sum(E[i,j]);Y[i,j]=E[i,j]*D[i]:i=12,j=35",
    "M[i,k]max=S[i,j,k];E[i,j,k]=exp(S[i,j,k]-M[i,k]);D[i,k]+=E[i,j,k];Y[i,j,k]=E[i,j,k]/D[i,k]:"
    "i=2,j=5,k=24",
    "M[i]=sum(X[i,j])/37;V[i]=sum((X[i,j]-M[i])*(X[i,j]-M[i]))/37;"
    "Y[i,j]=(X[i,j]-M[i])*rsqrt(V[i]+0.001)*G[j]+B[j]:i=6,j=37",
    "Y[n,c,h,w]max=X[n,c,2*h+r-1,2*w+s-1]:n=1,c=32,h=4,w=4,r=3,s=3,X=1x32x7x8",
    "Y[n,c,h,w]=sum(X[n,c,h+r,w+s])/9:n=2,c=3,h=5,w=18,r=3,s=3,X=2x3x7x20",
    "Y[n,c]=sum(X[n,c,h,w])/49:n=2,c=6,h=7,w=7",
    "Y[j]=sum(X[i,j]):i=9,j=21",
    "Y[i]=sum(X[i,h,w,c]*X[i,h,w,c]):i=4,h=3,w=5,c=7",
    "Y[a,b,c]=X[b,a,c]:a=3,b=5,c=19",
    "Y[a,b,c]=X[a,c,b]:a=2,b=21,c=35",
    "Y[a,b,c,d]=X[d,c,b,a]:a=3,b=5,c=7,d=9",
    "Y[i,j]=T[clamp(I[i],0,8),j]:i=5,j=21,T=9x21",
    "Y[i,j]=T[i,clamp(I[j],0,8)]:i=5,j=21,T=5x9",
    "Y[n,c,h]=select(c<3,A[n,c,h],B[n,c-3,h]):n=2,c=8,h=21,A=2x3x21,B=2x5x21",
    "Y[i,j]=X[i,2*j+1]:i=5,j=9,X=5x20",
    "Y[i]=X[0]*2:i=1,X=1",
};

Space streams_of(const char* spec, const Target& target) {
  return right(build_space(right(parse_task_spec(spec), spec), target), spec);
}

void judge_points(const Target& target, const char* spec, int points) {
  std::mt19937_64 rng(7);
  const Space space = streams_of(spec, target);
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

TEST(StreamSpace, PointsAreLegalAndRight) {
  for (const char* spec : kStreamSpecs) {
    judge_points(testing::cpu(4, 16), spec, testing::drawn(24));
    judge_points(testing::cpu(16, 32), spec, testing::drawn(24));
  }
}

TEST(StreamSpace, PointsForDevicesAreLegalAndRight) {
  for (const char* spec : kStreamSpecs)
    judge_points(testing::opencl_with_images(), spec, testing::drawn(24));
}

TEST(StreamSpace, WithTheFrameworksBorderIsRight) {
  const Target target = testing::cpu(16, 32);
  TaskSpec spec = right(parse_task_spec(kStreamSpecs[6]), "pooling");
  spec.border = framework_border(spec.region);
  const Space space = right(build_space(spec, target), "pooling");
  EXPECT_EQ(space.parameters()[0].name, "algorithm");
  EXPECT_EQ(space.default_point()[0], 0);
  std::mt19937_64 rng(3);
  for (int n = 0; n < 12; ++n) {
    const auto schedule = apply(space.decode(space.sample(rng)), spec.region, spec.border, target);
    ASSERT_TRUE(schedule) << schedule.error().message;
    const auto program = lower(*schedule, target);
    EXPECT_TRUE(program) << program.error().message << print(space.decode(space.default_point()));
  }
}

}  // namespace
}  // namespace dovetail
