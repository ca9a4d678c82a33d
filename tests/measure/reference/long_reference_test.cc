// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/long_reference.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::optional<std::string> note_of(const std::string& spec) {
  return long_reference_note(right(parse_region(spec), spec));
}

TEST(LongReference, IsNotedWithItsWork) {
  // Long on hundreds of cores.
  EXPECT_EQ(note_of("gmm:m=65536,n=65536,k=65536"),
            "computing the reference of gmm:m=65536,n=65536,k=65536 (562950 GFLOP)");
  EXPECT_TRUE(note_of("Y[m,n]+=X[m,k]*W[n,k]:m=65536,n=65536,k=65536,X=f16,W=f16"));
  EXPECT_TRUE(note_of("Y[m,n]max=X[m,k]*W[n,k]:m=8192,n=8192,k=8192"));
}

TEST(LongReference, IsNotNotedWhereItIsShort) {
  EXPECT_EQ(note_of("gmm:m=64,n=64,k=64"), std::nullopt);
  EXPECT_EQ(note_of("Y[m,n]+=X[m,k]*W[n,k]:m=512,n=512,k=512,X=f16,W=f16"), std::nullopt);
}

TEST(LongReference, IsShorterOnMoreCores) {
  const Region region = right(parse_region("c2d:ci=64,co=64,h=56,w=56,k=3,p=1"), "");
  EXPECT_DOUBLE_EQ(reference_seconds(region, 1), 4 * reference_seconds(region, 4));
}

}  // namespace
}  // namespace dovetail
