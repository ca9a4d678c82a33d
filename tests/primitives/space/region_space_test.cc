// SPDX-License-Identifier: Apache-2.0
//
// Spaces of written regions: their parameters, and that every point is right or rejected.
#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr const char* kAttention =
    "S[i,j]=sum(Q[i,k]*K[j,k]);M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];"
    "Y[i,j]=E[i,j]/D[i]:i=24,j=20,k=16";

Space space_of(const char* spec, const Target& target) {
  return right(build_space(right(parse_task_spec(spec), spec), target), spec);
}

TEST(RegionSpace, OfARegionWithAProductIsThatOfTheProduct) {
  const Space space = space_of(kAttention, testing::cpu(4, 16));
  EXPECT_GT(space.count(), 1000);
  EXPECT_GT(
      space_of("Y[i,j]=max(sum(A[i,k]*B[k,j])+C[j],0):i=24,j=20,k=16", testing::cpu(4, 16)).count(),
      1000);
}

TEST(RegionSpace, PointsAreRightOrRejected) {
  std::mt19937_64 rng(1);
  for (const Target& target : {testing::cpu(4, 16), testing::opencl_with_images()}) {
    for (const char* spec : {kAttention, "Y[i,j]=max(sum(A[i,k]*B[k,j])+C[j],0):i=24,j=20,k=16",
                             "T[i,k]=exp(A[i,k]);Y[i,j]=sum(T[i,k]*B[k,j]):i=7,j=13,k=5",
                             "T[i,j]=exp(A[i,j]);Y[i,j]=sum(T[i,k]*B[k,j]):i=7,j=13,k=5",
                             "Y[i,j]=sum(A[i,k]*B[k,j]):i=6,j=7,k=8,A=6x13,B=11x9",
                             "Y[i,j]=sum(A[i,k]*B[k,j])+1:i=6,j=7,k=8,A=9x13,B=11x9"}) {
      const Space space = space_of(spec, target);
      int lowered = 0;
      for (int n = 0; n < 24; ++n) {
        const Trace trace = space.decode(n == 0 ? space.default_point() : space.sample(rng));
        const auto schedule = apply(trace, space.spec().region, target);
        const auto program = schedule ? lower(*schedule, target) : fail(schedule.error().message);
        if (!program) {
          EXPECT_NE(program.error().message, "");
          continue;
        }
        ++lowered;
        EXPECT_TRUE(testing::computes(space.spec().region, *program)) << spec << "\n"
                                                                      << print(trace);
      }
      EXPECT_GT(lowered, 4) << spec;
    }
  }
}

// Stages of plain loops beside the product: what they read is laid out for it, or, where their
// loops could not follow, as it is.
TEST(RegionSpace, DefaultsAreLegalAndRight) {
  for (const char* spec :
       {"E[i,j]+=X[i,k]*U[k,j];Y[i,l]=sum(E[i,j]*V[j,l])+E[i,l]:i=12,j=32,k=5,l=32,const=U.V",
        "E[i,j]+=X[i,k]*U[k,j];F[i,j]=exp(E[i,j]);Y[i,l]+=F[i,j]*V[j,l]"
        ":i=12,j=32,k=5,l=9,const=U.V",
        "C[o,h,w]=relu(sum(X[i,h+r-1,w+s-1]*W[o,i,r,s]));Y[o,y,x]max=C[o,2*y+p-1,2*x+q-1]"
        ":o=20,i=3,h=8,w=9,y=4,x=4,r=3,s=3,p=3,q=3,const=W",
        "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i]));D[m,h,w]=sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s])"
        ":m=24,y=8,x=8,h=4,w=4,i=16,r=3,s=3,const=U.V"}) {
    for (const Target& target : {testing::cpu(16, 32), testing::opencl_with_images()}) {
      const Space space = space_of(spec, target);
      const auto schedule = apply(space.default_trace(), space.spec().region, target);
      ASSERT_TRUE(schedule) << spec << "\n" << schedule.error().message;
      const auto program = lower(*schedule, target);
      ASSERT_TRUE(program) << spec << "\n" << program.error().message;
      EXPECT_TRUE(testing::computes(space.spec().region, *program)) << spec;
    }
  }
}

}  // namespace
}  // namespace dovetail
