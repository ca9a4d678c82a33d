// SPDX-License-Identifier: Apache-2.0
#include "primitives/copy.h"

#include <gtest/gtest.h>

#include "core/ir/operator/operator.h"

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

}  // namespace
}  // namespace dovetail
