// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/strided_run.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dovetail {
namespace {

TEST(StridedRun, LeavesOutWhatLiesBeyondTheTensor) {
  // X[i, w+s-1] of shape 64x56 along w, at i = 2, s = 0
  const StridedRun run = run_along(
      {{.constant = 0, .coefficients = {1, 0, 0}}, {.constant = -1, .coefficients = {0, 1, 1}}},
      {64, 56}, {2, 0, 0}, 1, 56);
  EXPECT_EQ(run.begin, 1);
  EXPECT_EQ(run.end, 56);
  EXPECT_EQ(run.position, 111);
  EXPECT_EQ(run.step, 1);
}

RC_GTEST_PROP(StridedRun, IsWhereEachIndexLies, ()) {
  const auto within = [](int64_t low, int64_t high) { return *rc::gen::inRange(low, high + 1); };
  std::vector<AffineIndex> indices;
  std::vector<int64_t> extents, at = {within(0, 3), within(0, 3)};
  for (int64_t j = within(1, 3); j > 0; --j) {
    indices.push_back({.constant = within(-4, 4), .coefficients = {within(-3, 3), within(-3, 3)}});
    extents.push_back(within(1, 6));
  }
  const int64_t count = within(1, 9);
  const StridedRun run = run_along(indices, extents, at, 1, count);
  for (int64_t k = 0; k < count; ++k) {
    bool exists = true;
    int64_t position = 0;
    for (size_t j = 0; j < indices.size(); ++j) {
      const AffineIndex& index = indices[j];
      const int64_t value =
          index.constant + index.coefficients[0] * at[0] + index.coefficients[1] * (at[1] + k);
      exists = exists && value >= 0 && value < extents[j];
      position = position * extents[j] + value;
    }
    RC_ASSERT((run.begin <= k && k < run.end) == exists);
    if (exists) RC_ASSERT(run.position + k * run.step == position);
  }
}

}  // namespace
}  // namespace dovetail
