// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/work_groups.h"

#include <gtest/gtest.h>

#include "tests/support/right.h"

namespace dovetail {
namespace {

WorkGroups groups_of(const std::string& body) {
  const Program program =
      testing::right(parse_program("buffer X: f32 activation X[h=56, w=8] as [h@1:56] [w@1:8]\n"
                                   "buffer Y: f32 output Y[h=56, w=8] as [h@1:56] [w@1:8]\n"
                                   "kernel copy\n" +
                                   body));
  return work_groups_of(program.kernels.front());
}

TEST(WorkGroups, AreBoundLoopsAndLocalTiles) {
  const WorkGroups found = groups_of(R"(  for h.0 in 0..7 bind group.1
    for w.0 in 0..2 bind group.0
      for h.1 in 0..8 bind thread.1
        for w.1 in 0..4 bind thread.0
          local a[8, 5]
          local b[3] f16
          a[h.1, w.1] = X[8*h.0 + h.1, 4*w.0 + w.1]
          Y[8*h.0 + h.1, 4*w.0 + w.1] = a[h.1, w.1]
)");
  // 160 bytes and 6, each up to a multiple of 64
  EXPECT_EQ(found, (WorkGroups{.groups = 14, .work_items = 32, .local_bytes = 192 + 64}));
}

TEST(WorkGroups, AreTheParallelLoopWhereNoneIsBound) {
  EXPECT_EQ(groups_of(R"(  for h in 0..56 parallel
    for w in 0..8
      Y[h, w] = X[h, w]
)"),
            (WorkGroups{.groups = 56, .work_items = 1, .local_bytes = 0}));
}

}  // namespace
}  // namespace dovetail
