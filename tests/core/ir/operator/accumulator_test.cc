// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/accumulator.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

ElementType accumulator_of(std::string_view spec) {
  return accumulator_type(parse_region(spec)->computations[0].computation);
}

TEST(Accumulator, OfRealNumbersIsF32) {
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]:m=4,k=9"), ElementType::f32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]:m=4,k=9,X=f16"), ElementType::f32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]*W[k]:m=4,k=9,X=bf16,W=bf16"), ElementType::f32);
}

TEST(Accumulator, OfIntegersHoldsEverySum) {
  // 2^17 products of at most 2^14 are 2^31, one more than the greatest.
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]*W[k]:m=4,k=131071,X=i8,W=i8"), ElementType::i32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]*W[k]:m=4,k=131072,X=i8,W=i8"), ElementType::i64);
  EXPECT_EQ(accumulator_of("Y[m]=sum((X[m,k]-3)*W[k])*2:m=4,k=64,X=u8,W=i8"), ElementType::i32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]*W[k]:m=4,k=8,X=i32,W=i8"), ElementType::i64);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]*k:m=4,k=8,X=i8"), ElementType::i32);
}

TEST(Accumulator, KeepsTheBitsThatAreStored) {
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]:m=4,k=9,X=i32,Y=i32"), ElementType::i32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]:m=4,k=9,X=i64,Y=u8"), ElementType::i32);
  EXPECT_EQ(accumulator_of("Y[m]+=X[m,k]:m=4,k=9,X=i32,Y=i64"), ElementType::i64);
  // A quotient depends on the upper bits, and so does the greatest of several.
  EXPECT_EQ(accumulator_of("Y[m]=quotient(sum(X[m,k]),9):m=4,k=9,X=i32,Y=i32"), ElementType::i64);
  EXPECT_EQ(accumulator_of("Y[m]max=X[m,k]:m=4,k=9,X=i8,Y=i8"), ElementType::i64);
}

}  // namespace
}  // namespace dovetail
