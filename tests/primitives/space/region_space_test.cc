// SPDX-License-Identifier: Apache-2.0
//
// Spaces of written regions: what they have, and that every point is right or rejected.
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

}  // namespace
}  // namespace dovetail
