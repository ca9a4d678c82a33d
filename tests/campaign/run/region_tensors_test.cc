// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/region_tensors.h"

#include <gtest/gtest.h>

#include <ostream>

#include "campaign/run/npy.h"
#include "core/ir/region/region_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {

// For messages of failures.
static void PrintTo(const OuterTensor& tensor, std::ostream* out) {
  *out << tensor.name << " " << name_of(tensor.type) << " " << print_shape(tensor.shape);
}

namespace {

using Tensors = std::vector<OuterTensor>;
constexpr ElementType kF32 = ElementType::f32;

Tensors given_to(std::string_view spec) {
  return tensors_given(testing::right(parse_region(spec), spec), spec);
}
Tensors made_by(std::string_view spec) {
  return tensors_made(testing::right(parse_region(spec), spec));
}

TEST(RegionTensors, OfAConvolutionAreInTheFrameworksShapes) {
  EXPECT_EQ(given_to("grp:ci=8,co=16,h=5,w=6,k=3,g=2,p=1+bias+add+relu"),
            (Tensors{{"X", kF32, {1, 8, 5, 6}},
                     {"W", kF32, {16, 4, 3, 3}},
                     {"bias", kF32, {16}},
                     {"add", kF32, {1, 16, 5, 6}}}));
  EXPECT_EQ(made_by("grp:ci=8,co=16,h=5,w=6,k=3,g=2,p=1"), (Tensors{{"Y", kF32, {1, 16, 5, 6}}}));
  EXPECT_EQ(given_to("dep:c=4,m=2,h=5,w=5,k=3"),
            (Tensors{{"X", kF32, {1, 4, 5, 5}}, {"W", kF32, {8, 1, 3, 3}}}));
}

TEST(RegionTensors, OfEpiloguesComeInTheOrderOfTheText) {
  EXPECT_EQ(given_to("gmm:m=4,n=3,k=2+add+bias"), (Tensors{{"X", kF32, {1, 4, 2}},
                                                           {"W", kF32, {1, 2, 3}},
                                                           {"add", kF32, {1, 4, 3}},
                                                           {"bias", kF32, {3}}}));
}

TEST(RegionTensors, OfAHalfOperatorAreHalves) {
  for (const OuterTensor& tensor : given_to("gmm:m=4,n=3,k=2,dtype=f16+bias"))
    EXPECT_EQ(tensor.type, ElementType::f16) << tensor.name;
}

TEST(RegionTensors, OfAWrittenSumAreItsFactorsInOrder) {
  EXPECT_EQ(given_to("out[b,m]+=v[m,k]*a[b,k]:b=8,m=4,k=3"),
            (Tensors{{"X", kF32, {4, 3}}, {"W", kF32, {8, 3}}}));
}

TEST(RegionTensors, OfAWrittenRegionComeAsItsTextNamesThem) {
  EXPECT_EQ(given_to("Y[i] = B[i] * sum(A[i,j]) + C [i]: i=4, j=6"),
            (Tensors{{"B", kF32, {4}}, {"A", kF32, {4, 6}}, {"C", kF32, {4}}}));
  EXPECT_EQ(given_to("Y[n,c]=T[clamp(I[n],0,8),c]:n=5,c=6,T=9x6,I=5xi64"),
            (Tensors{{"T", kF32, {9, 6}}, {"I", ElementType::i64, {5}}}));
  EXPECT_EQ(given_to("M[i]max=S[i,j];Y[i,j]=S[i,j]-M[i]:i=4,j=6"), (Tensors{{"S", kF32, {4, 6}}}));
}

TEST(RegionTensors, ThatARegionMakesAreThoseThatNoOtherReads) {
  EXPECT_EQ(made_by("M[i]max=S[i,j];A[i]=integer(M[i]);B[i]+=S[i,j]:i=4,j=7"),
            (Tensors{{"A", ElementType::i64, {4}}, {"B", kF32, {4}}}));
}

TEST(RegionTensors, BeyondTheMachinesMemoryAreRefused) {
  EXPECT_ERROR(check_memory(testing::right(parse_region("Y[i,j]=X[j,i]:i=1000000,j=1000000"))),
               "expected at most");
  EXPECT_TRUE(check_memory(testing::right(parse_region("Y[i,j]=X[j,i]:i=100,j=100"))));
}

TEST(RegionTensors, ModelsHaveNoTensorBeyondTheMachinesMemory) {
  Graph graph;
  graph.tensors.resize(2);  // the other one's shape is open
  graph.tensors[0].name = "x";
  graph.tensors[0].shape = std::vector<int64_t>{3, 4};
  EXPECT_TRUE(check_memory(graph));
  graph.tensors[0].shape = std::vector<int64_t>{2147483647, 2147483647, 2147483647};
  EXPECT_ERROR(check_memory(graph), "tensor x of ");
}

}  // namespace
}  // namespace dovetail
