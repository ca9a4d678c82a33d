// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <gtest/gtest.h>

#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::kProduct;
using testing::print_loops;
using testing::stage_of;

TEST(LoopCacheWrite, RemembersWhereTheTileLives) {
  const Stage before = stage_of(kProduct);
  const Stage after = *applied_loops("cache_write(tensor=Y, at=m)", before);
  EXPECT_EQ(after.cache_write_at, "m");
  EXPECT_EQ(print_loops(after), print_loops(before));
}

TEST(LoopCacheWrite, AtRootHoldsEverything) {
  EXPECT_EQ(applied_loops("cache_write(tensor=Y, at=root)", stage_of(kProduct))->cache_write_at,
            "root");
}

TEST(LoopCacheWrite, OfAReductionLoopIsAllowed) {
  EXPECT_EQ(applied_loops("reorder(k, n) ; cache_write(tensor=Y, at=k)", stage_of(kProduct))
                ->cache_write_at,
            "k");
}

TEST(LoopCacheWrite, MayStorePastTheCaches) {
  EXPECT_FALSE(applied_loops("cache_write(tensor=Y, at=m)", stage_of(kProduct))->streaming_stores);
  EXPECT_TRUE(applied_loops("cache_write(tensor=Y, at=m, stores=streaming)", stage_of(kProduct))
                  ->streaming_stores);
}

TEST(LoopCacheWrite, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("cache_write(tensor=Y, at=w)", stage_of(kProduct)),
               "loops: cache_write(tensor=Y, at=w): no loop w, expected one of b, m, n, k");
}

TEST(LoopCacheWrite, FailsOnATensorThatIsNotWritten) {
  EXPECT_ERROR(applied_loops("cache_write(tensor=X, at=m)", stage_of(kProduct)),
               "tensor X is not written here, expected Y");
}

TEST(LoopCacheWrite, FailsASecondTime) {
  EXPECT_ERROR(applied_loops("cache_write(tensor=Y, at=m) ; cache_write(tensor=Y, at=n)",
                             stage_of(kProduct)),
               "cache_write(tensor=Y, at=n): Y is already accumulated at m");
}

}  // namespace
}  // namespace dovetail
