// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/plan.h"

#include <gtest/gtest.h>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::memory_bound {
namespace {

Plan derived(const char* spec, const Target& target = testing::cpu(16, 32)) {
  return derive_plan(testing::written_region(spec), target);
}

// The loop along which vectors run at best, `a across b` for tiles that are transposed.
std::string best_vectors(const char* spec, const Target& target = testing::cpu(16, 32)) {
  const Plan plan = derived(spec, target);
  const Stage& stage = plan.stages.back();
  const VectorChoice& best = stage.vectors.front();
  if (!best.axis) return "none";
  const std::string along = stage.axes[*best.axis].loop;
  return best.across ? along + " across " + stage.axes[*best.across].loop : along;
}

TEST(MemoryBoundPlan, VectorsRunAlongWhatIsStoredSideBySide) {
  EXPECT_EQ(best_vectors("Y[i,j]=exp(X[i,j])*S[j]:i=5,j=40"), "j");
  EXPECT_EQ(best_vectors("Y[i,j]=exp(X[i,j]):i=5,j=40"), "i_j");
}

TEST(MemoryBoundPlan, VectorsRunAlongASumWhereNoOutputIsContiguous) {
  EXPECT_EQ(best_vectors("Y[i]=sum(X[i,j]):i=50,j=40"), "j");
  EXPECT_EQ(best_vectors("Y[j]=sum(X[i,j]):i=50,j=40"), "j");
  EXPECT_EQ(best_vectors("Y[i]=sum(X[i,j]):i=50,j=9"), "none") << "half a vector";
  EXPECT_EQ(best_vectors("Y[i]=sum(X[i,j]):i=50,j=40", testing::opencl_with_images()), "none");
}

TEST(MemoryBoundPlan, ACopyAlongTwoAxesIsTransposed) {
  EXPECT_EQ(best_vectors("Y[i,j]=X[j,i]:i=30,j=40"), "i across j");
  EXPECT_EQ(best_vectors("Y[i,j]=2*X[j,i]:i=30,j=40"), "none") << "no copy";
}

// `mixed`: one of seven rows reads A, contiguous along lanes; six read B, contiguous along rows.
TEST(MemoryBoundPlan, AJoinIsTransposedOnlyWhereLoopsPartIt) {
  const char* parted = "Y[n,c]=select(c<16,A[n,c],B[n,c-16]):n=32,c=32,A=32x16,B=32x16";
  const char* mixed = "Y[n,c]=select(c<1,A[n,c],B[n,c-1]):n=40,c=7,A=40x1,B=40x6";
  EXPECT_EQ(best_vectors(mixed), "none");
  for (const char* spec : {parted, mixed}) {
    const Region region = testing::written_region(spec);
    const Space space = testing::right(build_space(region, testing::cpu(16, 32)), spec);
    for (const auto& trace : {space.default_trace(), space.decode(space.default_point())}) {
      const auto program = testing::lowered(region, trace, testing::cpu(16, 32));
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(testing::computes(region, *program));
    }
  }
}

TEST(MemoryBoundPlan, WhatIsReadAtSeveralPlacesIsNotMadeInRounds) {
  const auto common = [](const char* spec) {
    const Plan plan = derived(spec);
    return plan.common_axes(plan.stages.back()).size();
  };
  EXPECT_EQ(common("A[i,j]=exp(X[i,j]);Y[i,j]=A[i,j]+1:i=5,j=40"), 1u);
  EXPECT_EQ(common("A[i]=exp(X[i]);Y[i,j]=A[i]+A[i/2]:i=5,j=40"), 0u);
  EXPECT_EQ(common("A[i,j]=exp(X[i,j]);Y[i,j]=A[i,j]-A[j,i]:i=40,j=40"), 0u);
}

TEST(MemoryBoundPlan, ADeviceTransposesThroughLocalMemory) {
  Target device = testing::opencl_with_images();
  EXPECT_EQ(best_vectors("Y[i,j]=X[j,i]:i=32,j=40", device), "i across j");
  EXPECT_EQ(best_vectors("Y[i,j]=X[j,i]:i=67,j=40", device), "none") << "no divisor to cut at";
  EXPECT_EQ(best_vectors("Y[i,j]=X[j,i]:i=32,j=40,X=i64,Y=i64", device), "none")
      << "tiles hold real numbers";
  const Plan inner = derived("Z[i,j]=X[j,i];Y[i,j]=Z[i,j]+1:i=32,j=40", device);
  EXPECT_EQ(inner.stages[0].vectors, std::vector<VectorChoice>{{}}) << "it may stand inside Y";
  device.local_memory_bytes = 0;
  EXPECT_EQ(best_vectors("Y[i,j]=X[j,i]:i=32,j=40", device), "none");
}

TEST(MemoryBoundPlan, StridesAndBoundsHaveNoVectors) {
  EXPECT_EQ(best_vectors("Y[i]=X[2*i]:i=30"), "none");
  EXPECT_EQ(best_vectors("Y[i]=select(i<7,A[i],B[i-7]):i=35,A=7,B=28"), "none");
}

TEST(MemoryBoundPlan, VectorsEndWhereBoundsDo) {
  const char* const joined = "Y[i,j]=select(j<64,A[i,j],B[i,j-64]):i=8,j=96,A=8x64,B=8x32";
  EXPECT_EQ(best_vectors(joined), "j");
  EXPECT_EQ(derived(joined).stages[0].axes[1].cut, 32);
  EXPECT_EQ(best_vectors(joined, testing::opencl_with_images()), "none");
  EXPECT_EQ(best_vectors("Y[i,j]=select(j<58,A[i,j],B[i,j-58]):i=8,j=116,A=8x58,B=8x58"), "j");
  EXPECT_EQ(best_vectors("Y[i,j]=select(j<54,A[i,j],B[i,j-54]):i=8,j=96,A=8x54,B=8x42"), "none")
      << "parts of 6, less than half a vector";
}

TEST(MemoryBoundPlan, TensorsThatAreJoinedMayBeStoredInDifferentOrders) {
  const std::string extents = ":c=116,p=40,A=58x40,B=40x58";
  EXPECT_EQ(best_vectors(("Y[c,p]=select(c<58,A[c,p],B[p,c-58])" + extents).c_str()), "c across p");
  EXPECT_EQ(best_vectors(("Y[p,c]=select(c<58,A[c,p],B[p,c-58])" + extents).c_str()), "p across c");
  EXPECT_EQ(best_vectors(("Y[c,p]=select(c<58,A[c,p],2*B[p,c-58])" + extents).c_str()), "none");
  EXPECT_EQ(best_vectors("Y[p,c,e]=select(e<1,A[p,c],B[p,c]):p=9,c=40,e=2"), "p_c across e");
}

TEST(MemoryBoundPlan, KnowWhatAllStagesOfAKernelHave) {
  const Plan softmax = derived(
      "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]=1/sum(E[i,j]);Y[i,j]=E[i,j]*D[i]:i=12,j=35");
  const Stage& root = softmax.stage("Y");
  for (const char* inner : {"M", "E", "D"}) EXPECT_EQ(softmax.stage(inner).root, "Y");
  ASSERT_EQ(softmax.common_axes(root).size(), 1u);
  EXPECT_EQ(root.axes[softmax.common_axes(root)[0]].loop, "i");
}

TEST(MemoryBoundPlan, ADimensionThatNothingSlidesOverIsWorthBlocking) {
  const auto worth = [](const char* spec) {
    return axis_worth_blocking(testing::written_region(spec), testing::cpu(16, 32));
  };
  EXPECT_EQ(worth("Y[n,c,h,w]max=X[n,c,2*h+r,2*w+s]:n=1,c=32,h=4,w=4,r=3,s=3,X=1x32x9x9"), "c");
  EXPECT_EQ(worth("Y[n,c,h,w]max=X[n,c,2*h+r,2*w+s]:n=1,c=20,h=4,w=4,r=3,s=3,X=1x20x9x9"), "");
  EXPECT_EQ(worth("Y[i,j]=exp(X[i,j]):i=5,j=40"), "");
}

}  // namespace
}  // namespace dovetail::memory_bound
