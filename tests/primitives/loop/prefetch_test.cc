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

TEST(LoopPrefetch, RemembersWhatAndHowFarAhead) {
  const Stage before = stage_of(kProduct);
  const Stage after = *applied_loops(
      "prefetch(tensor=W, at=k, distance=2) ; prefetch(tensor=X, at=m, distance=1)", before);
  EXPECT_EQ(after.prefetches, (std::vector<StagePrefetch>{{"W", "k", 2}, {"X", "m", 1}}));
  EXPECT_EQ(print_loops(after), print_loops(before));
}

TEST(LoopPrefetch, FailsOnATensorThatIsNotRead) {
  EXPECT_ERROR(applied_loops("prefetch(tensor=Y, at=k, distance=2)", stage_of(kProduct)),
               "prefetch(tensor=Y, at=k, distance=2): tensor Y is not read here, expected one of "
               "X, W");
}

TEST(LoopPrefetch, FailsWithoutTheLoop) {
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=w, distance=2)", stage_of(kProduct)),
               "no loop w, expected one of b, m, n, k");
}

TEST(LoopPrefetch, FailsOnADistanceOutOfReach) {
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=k, distance=0)", stage_of(kProduct)),
               "distance 0, expected 1 to 64");
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=k, distance=65)", stage_of(kProduct)),
               "distance 65, expected 1 to 64");
}

TEST(LoopPrefetch, IsOfALoopAroundIt) {
  const Stage stage = stage_of(kProduct);
  const Stage after = *applied_loops("prefetch(tensor=W, at=k, distance=1, of=n)", stage);
  EXPECT_EQ(after.prefetches, (std::vector<StagePrefetch>{{"W", "k", 1, "n"}}));
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=n, distance=1, of=k)", stage),
               "loop k is not around n, expected a loop that is");
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=k, distance=1, of=w)", stage),
               "no loop w, expected one of b, m, n, k");
}

TEST(LoopPrefetch, FailsASecondTime) {
  EXPECT_ERROR(applied_loops("prefetch(tensor=W, at=k, distance=1) ; "
                             "prefetch(tensor=W, at=k, distance=2)",
                             stage_of(kProduct)),
               "W is already prefetched at k");
}

}  // namespace
}  // namespace dovetail
