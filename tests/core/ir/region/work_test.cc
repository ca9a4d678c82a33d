// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/work.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

int64_t bytes(const char* text) { return operand_bytes(testing::right(parse_region(text))); }

TEST(OperandBytes, CountEachTensorAtTheBorderOnce) {
  EXPECT_EQ(bytes("Y[i,j]=A[i,j]*A[i,j]+B[j]:i=8,j=16"), 4 * (128 + 16 + 128));
  EXPECT_EQ(bytes("T[i]=sum(A[i,j]);Y[i]=exp(T[i]):i=8,j=16"), 4 * (128 + 8));
  EXPECT_EQ(bytes("Y[i]=max(A[i],A[i+8]):i=8,A=16xf16,Y=f64"), 2 * 16 + 8 * 8);
}

TEST(OperandBytes, OfATableAreOnlyTheRowsThatDataName) {
  EXPECT_EQ(bytes("Y[n,c]=T[clamp(I[n],0,999),c]:n=4,c=8,T=1000x8,I=i64"), 4 * 32 + 8 * 4 + 4 * 32);
  EXPECT_EQ(bytes("Y[n,c]=T[clamp(I[n],0,1),c]:n=4,c=8,T=2x8,I=i64"), 4 * 16 + 8 * 4 + 4 * 32)
      << "no more than there are";
}

TEST(OperandBytes, OfASliceAreThoseOfTheSlice) {
  EXPECT_EQ(bytes("Y[i]=A[i+3]:i=4,A=1000"), 4 * (4 + 4));
}

}  // namespace
}  // namespace dovetail
