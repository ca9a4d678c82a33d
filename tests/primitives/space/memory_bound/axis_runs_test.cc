// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/axis_runs.h"

#include <gtest/gtest.h>

#include "tests/primitives/region_runs.h"

namespace dovetail::memory_bound {
namespace {

// The dimensions of a tensor that share a run, as letters: "aab" says that the first two do.
std::string runs_of(const char* spec, const std::string& tensor, size_t rank) {
  const Region region = testing::written_region(spec);
  const AxisRuns runs(region);
  std::vector<int> seen;
  std::string letters;
  for (size_t d = 0; d < rank; ++d) {
    const int run = runs.of_dim(tensor, d);
    const auto at = std::find(seen.begin(), seen.end(), run);
    letters += run == AxisRuns::kNone ? '1' : static_cast<char>('a' + (at - seen.begin()));
    if (at == seen.end() && run != AxisRuns::kNone) seen.push_back(run);
  }
  return letters;
}

TEST(AxisRuns, OfOneAccessAreOne) {
  EXPECT_EQ(runs_of("Y[n,c,h,w]=max(X[n,c,h,w],0):n=2,c=3,h=4,w=5", "X", 4), "aaaa");
}

TEST(AxisRuns, AreCutWhereATensorHasAPartOnly) {
  EXPECT_EQ(runs_of("Y[n,c,h,w]=X[n,c,h,w]*S[c]:n=2,c=3,h=4,w=5", "Y", 4), "abcc");
}

TEST(AxisRuns, DimensionsThatSlideStandAlone) {
  EXPECT_EQ(runs_of("Y[n,c,h,w]max=X[n,c,h+r,w]:n=2,c=3,h=4,w=5,r=2,X=2x3x5x5", "X", 4), "aabc");
}

TEST(AxisRuns, OneElementIsNoPartOfARun) {
  EXPECT_EQ(runs_of("Y[n,c,h]=X[n,c,h]*2:n=2,c=1,h=4", "X", 3), "a1a");
}

TEST(AxisRuns, OrderDecides) {
  EXPECT_EQ(runs_of("Y[a,b,c]=X[b,c,a]:a=2,b=3,c=4", "Y", 3), "abb");
  EXPECT_EQ(runs_of("Y[a,b]=X[b,a]:a=2,b=3", "Y", 2), "ab");
}

TEST(AxisRuns, ReducedAxesAreNotFusedWithOthers) {
  EXPECT_EQ(runs_of("Y[n]=sum(X[n,h,w]):n=2,h=3,w=4", "X", 3), "abb");
}

TEST(AxisRuns, AnIndexAsANumberStandsAlone) {
  EXPECT_EQ(runs_of("Y[a,b,c]=X[a,b,c]*b:a=2,b=3,c=4", "X", 3), "abc");
}

}  // namespace
}  // namespace dovetail::memory_bound
