// SPDX-License-Identifier: Apache-2.0
#include "primitives/copy.h"

#include <gtest/gtest.h>

#include "core/ir/operator/operator.h"
#include "tests/primitives/region_runs.h"

namespace dovetail {
namespace {

Computation small_product() { return define(*parse_operator("gmm:m=4,n=6,k=8")); }

TEST(CopyComputation, GivesEachElementOfATensorToTheSameElement) {
  const Tensor tensor = tensor_named(small_product(), "X");
  const Computation copy = copy_computation(tensor, "X.pad");
  ASSERT_EQ(copy.reads.size(), 1u);
  EXPECT_EQ(copy.reads[0].tensor, "X");
  EXPECT_EQ(copy.output.tensor, "X.pad");
  EXPECT_EQ(copy.reads[0].indices, copy.output.indices);
  EXPECT_EQ(tensor_named(copy, "X.pad").dims, tensor.dims);
  EXPECT_TRUE(is_copy(copy));
}

TEST(IsCopy, IsFalseOfSumsAndOfWhatDoesMore) {
  EXPECT_FALSE(is_copy(small_product()));
  Computation with_epilogue = copy_computation(tensor_named(small_product(), "X"), "X.pad");
  with_epilogue.element = binary(BinaryOp::max, read_of(0), 0.0);
  EXPECT_FALSE(is_copy(with_epilogue));
}

TEST(IsWholeCopy, EndsWhereItsSourceDoes) {
  const auto whole = [](const char* spec) {
    return is_whole_copy(testing::written_region(spec).computations[0].computation);
  };
  EXPECT_TRUE(is_whole_copy(copy_computation(tensor_named(small_product(), "X"), "X.pad")));
  EXPECT_TRUE(whole("Y[i,j]=X[j,i]:i=3,j=4"));
  EXPECT_TRUE(whole("Y[i,j]=X[0,j,i]:i=3,j=4"));
  EXPECT_FALSE(whole("Y[i]=X[i]:i=4,X=10"));
  EXPECT_FALSE(whole("Y[i]=X[i+1]:i=4,X=4"));
  EXPECT_FALSE(whole("Y[i,j]=X[j]:i=3,j=4"));
  EXPECT_FALSE(whole("Y[i]=2*X[i]:i=4"));
}

TEST(MovesElements, IsTrueOfCopiesAndOfSeveralByBounds) {
  const auto moves = [](const char* spec) {
    return moves_elements(testing::written_region(spec).computations[0].computation);
  };
  EXPECT_TRUE(moves("Y[i,j]=X[j,i]:i=3,j=4"));
  EXPECT_TRUE(moves("Y[i]=select(i<4,A[i],select(i<6,B[i-4],0)):i=9,A=4,B=2"));
  EXPECT_FALSE(moves("Y[i]=select(i<4,A[i],2*B[i-4]):i=9,A=4,B=5"));
  EXPECT_FALSE(moves("Y[i]=sum(X[i,j]):i=3,j=4"));
  EXPECT_FALSE(moves("Y[i,j]=T[clamp(I[i],0,8),j]:i=5,j=21,T=9x21")) << "data choose";
}

}  // namespace
}  // namespace dovetail
