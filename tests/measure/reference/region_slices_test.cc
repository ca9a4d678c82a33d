// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_slices.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "measure/reference/check_data.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::vector<double> values_of(const ExpectedOutputs& expected, const std::string& tensor) {
  return reals_of(std::get<Reference>(expected.at(tensor)).values);
}

// The slices' outputs behind each other must be those of the region, each element once.
void expect_same_as_whole(const std::string& spec, int64_t most_elements, size_t slices) {
  SCOPED_TRACE(spec);
  const Region region = right(parse_region(spec), spec);
  const NamedArrays inputs = make_inputs(region, DataKind::real, 3);
  const ExpectedOutputs whole = expected_outputs(region, inputs);
  const std::vector<RegionSlice> parts = slices_of(region, most_elements);
  EXPECT_EQ(parts.size(), slices);
  for (const std::string& tensor : region.outputs) {
    std::vector<double> together;
    for (const RegionSlice& slice : parts) {
      const std::vector<double> part =
          values_of(expected_outputs(slice.region, slice.of(inputs)), tensor);
      const auto range = slice.elements.find(tensor);
      if (range != slice.elements.end()) {
        EXPECT_EQ(range->second.first, together.size());
        EXPECT_EQ(range->second.count, part.size());
      }
      together.insert(together.end(), part.begin(), part.end());
    }
    EXPECT_EQ(together, values_of(whole, tensor));
  }
}

TEST(RegionSlices, AreImagesOfABatch) {
  expect_same_as_whole("c2d:n=5,ci=3,co=4,h=6,w=6,k=3,p=1+bias+add+relu", 300, 3);
  expect_same_as_whole("dep:n=2,c=4,h=6,w=6,k=3,p=1+bias", 144, 2);
  expect_same_as_whole("t2d:n=3,ci=2,co=4,h=3,w=3,k=4,s=2,p=1", 1, 3);
}

TEST(RegionSlices, AreChannelsOfOneImage) {
  expect_same_as_whole("c2d:ci=3,co=7,h=6,w=6,k=3,p=1+bias+add+relu", 108, 3);
  expect_same_as_whole("c3d:ci=2,co=4,depth=3,h=4,w=4,k=3,p=1+bias+gelu", 100, 2);
  expect_same_as_whole("dep:c=4,h=6,w=6,k=3,p=1+bias", 72, 2);
  expect_same_as_whole("grp:ci=6,co=4,g=2,h=6,w=6,k=3+bias", 32, 2);
}

TEST(RegionSlices, AreChannelsOfEachImageOfALargeBatch) {
  expect_same_as_whole("c2d:n=2,ci=3,co=4,h=6,w=6,k=3,p=1+bias+add+relu", 72, 4);
  expect_same_as_whole("dep:n=2,c=4,h=6,w=6,k=3,p=1+bias", 1, 8);
  expect_same_as_whole("grp:ci=6,co=4,g=2,h=6,w=6,k=3+bias", 16, 4);
  expect_same_as_whole("gmm:b=3,m=5,n=3,k=4,b_const=0", 3, 15);
}

TEST(RegionSlices, AreRowsOfProducts) {
  expect_same_as_whole("gmm:m=5,n=3,k=4+bias+add", 6, 3);
  expect_same_as_whole("gmm:b=3,m=5,n=3,k=4,b_const=0", 15, 3);
  expect_same_as_whole("gmm:m=1,n=6,k=1+bias", 2, 3);
}

TEST(RegionSlices, AreRowsOfAWrittenRegionAndItsInnerTensors) {
  expect_same_as_whole(
      "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=6,j=5", 30, 3);
  expect_same_as_whole("T[n,o]+=X[n,i]*W[o,i];Y[n,o]=T[n,o]+bias[o]:n=6,o=4,i=3", 16, 3);
}

TEST(RegionSlices, AreOneWhereTheAxisIsNotFirstEverywhere) {
  expect_same_as_whole("Y[i,j]=X[j,i]:i=6,j=5", 5, 1);
  expect_same_as_whole("M[j]max=S[i,j];Y[i,j]=S[i,j]-M[j]:i=6,j=6", 6, 1);
  expect_same_as_whole("Y[i,j]=X[i,j]+X[i+1,j]:i=6,j=5", 5, 1);
  expect_same_as_whole("t2d:ci=2,co=4,h=3,w=3,k=4,s=2,p=1", 1, 1);
}

TEST(RegionSlices, AreOneOfASmallRegion) {
  expect_same_as_whole("c2d:n=5,ci=3,co=4,h=6,w=6,k=3,p=1", 1 << 20, 1);
}

}  // namespace
}  // namespace dovetail
