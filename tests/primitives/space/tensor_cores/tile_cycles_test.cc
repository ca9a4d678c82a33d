// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/tile_cycles.h"

#include <gtest/gtest.h>

#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

using tensor_cores::GroupWork;
using tensor_cores::tile_cycles;

Target tile_device() { return target_of_profile("h200_ptx.profile"); }

// 4096 x 4096 x 4096 of halves by groups of 256 work-items.
GroupWork product(int64_t rows, int64_t columns, int64_t part, int64_t ahead) {
  constexpr int64_t kExtent = 4096, kWorkItems = 256, kOtherRegisters = 42;
  return {.groups = kExtent / rows * (kExtent / columns),
          .rows = rows,
          .columns = columns,
          .terms = part,
          .round_bytes = (rows + columns) * part * 2,
          .rounds = kExtent / part,
          .ahead = ahead,
          .work_items = kWorkItems,
          .registers = rows * columns / kWorkItems + kOtherRegisters,
          .local_bytes = (rows + columns) * part * 2 * (ahead + 1),
          .terms_a_cycle = 2048};
}

TEST(TileCycles, AreNearKernelsByHandOnAnH200) {
  struct Row {
    GroupWork work;
    double measured_tflops;
  };
  const Row rows[] = {{product(128, 256, 32, 1), 382},
                      {product(128, 256, 64, 1), 471},
                      {product(128, 256, 16, 3), 486},
                      {product(128, 128, 32, 2), 532},
                      {product(128, 256, 64, 3), 632}};
  constexpr double kHertz = 1.755e9, kFlops = 2.0 * 4096 * 4096 * 4096;
  for (const Row& row : rows) {
    const double tflops = 1e-12 * kFlops * kHertz / tile_cycles(row.work, tile_device());
    EXPECT_NEAR(tflops / row.measured_tflops, 1, 0.12) << row.measured_tflops;
  }
}

TEST(TileCycles, OfMoreRoundsAheadAreFewerUntilMemoryAnswersInTime) {
  const auto cycles = [](int64_t ahead) {
    return tile_cycles(product(128, 256, 16, ahead), tile_device());
  };
  EXPECT_GT(cycles(0), cycles(1));
  EXPECT_GT(cycles(1), cycles(2));
  EXPECT_GT(cycles(2), cycles(3));
  EXPECT_EQ(cycles(6), cycles(7)) << "256 cycles a round";
}

// 4096 x 4096 x 4096 on an H200: 682 TFLOP/s measured, and 633 without.
TEST(TileCycles, OfProductsAwaitedLaterHaveNoBarrier) {
  GroupWork work = product(128, 256, 64, 2);
  const double waiting = tile_cycles(work, tile_device());
  work.behind = 1;
  EXPECT_NEAR(waiting / tile_cycles(work, tile_device()), 682.0 / 633, 0.1);
}

TEST(TileCycles, CountWholeWavesOfGroups) {
  GroupWork work = product(128, 256, 64, 3);
  work.groups = 132;
  const double one = tile_cycles(work, tile_device());
  work.groups = 133;
  EXPECT_DOUBLE_EQ(tile_cycles(work, tile_device()), 2 * one);
}

}  // namespace
}  // namespace dovetail::testing
