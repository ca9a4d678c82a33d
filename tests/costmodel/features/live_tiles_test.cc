// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/live_tiles.h"

#include <gtest/gtest.h>

#include "tests/costmodel/programs.h"

namespace dovetail {
namespace {

using testing::program_of;

// acc outlives the loop; next is loaded before a step of it and stored after.
TEST(LiveTiles, TakeRegistersFromTheFirstStoreToTheLast) {
  const Program program = program_of(R"(buffer X: f32 activation X[k=17, m=6] as [k@1:17] [m@1:6]
buffer Y: f32 output Y[m=6, n=4] as [m@1:6] [n@1:4]
kernel gmm
  registers acc[6, 4]
  for m in 0..6 unrolled
    for n in 0..4 vectorized
      acc[m, n] = 0
  for k in 0..16
    private next[2, 4] f64
    for m in 0..2 unrolled
      for n in 0..4 vectorized
        next[m, n] = X[k + 1, m]
    for m in 0..6 unrolled
      for n in 0..4 vectorized
        acc[m, n] += X[k, m]
    for m in 0..2 unrolled
      for n in 0..4 vectorized
        acc[m, n] += next[m, n]
  for m in 0..6 unrolled
    for n in 0..4 vectorized
      Y[m, n] = acc[m, n]
)");
  EXPECT_EQ(live_tile_registers(program.kernels.front().body),
            (std::vector<double>{24, 24 + 16, 24 + 16, 24 + 16, 24}));
}

TEST(LiveTiles, AreHeldThroughALoopThatUsesThemAtItsBeginning) {
  const Program program = program_of(R"(buffer X: f32 activation X[k=16] as [k@1:16]
buffer Y: f32 output Y[k=16] as [k@1:16]
buffer Z: f32 output Z[k=16] as [k@1:16]
kernel two
  registers kept[4]
  local shared[64]
  for i in 0..4
    kept[i] = X[i]
  for k in 0..16
    Y[k] = X[k] * kept[0]
    Z[k] = X[k]
  for i in 0..16
    Z[i] = X[i]
)");
  EXPECT_EQ(live_tile_registers(program.kernels.front().body), (std::vector<double>{4, 4, 4, 0}));
}

}  // namespace
}  // namespace dovetail
