// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/machine_peak.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace dovetail {
namespace {

Target target_of_l1(int64_t bytes) {
  Target target;
  target.l1_bytes = bytes;
  return target;
}

// Nothing is so small, and no side so much larger than the other, that there is no loop for it.
TEST(MachinePeak, OfAStreamHasARateForAnyReadsAndWrites) {
  ThreadPool pool({0});
  for (const auto& [read, written] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {4, 4}, {64, 0}, {1 << 20, 4}, {4, 1 << 20}, {1 << 20, 1 << 20}, {300000, 77777}}) {
    const double rate = measure_stream(pool, target_of_l1(48 << 10), read, written);
    EXPECT_GT(rate, 1e8) << read << " " << written;
    EXPECT_LT(rate, 1e13) << read << " " << written;
  }
}

// Sixteen megabytes are in no nearer cache, 16 KiB in the first.
TEST(MachinePeak, OfAStreamFallsWithItsSize) {
  ThreadPool pool({0});
  const Target target = target_of_l1(48 << 10);
  EXPECT_GT(measure_stream(pool, target, 8 << 10, 8 << 10),
            measure_stream(pool, target, 8 << 20, 8 << 20));
}

// The bytes of a call are moved at the rate of many: else a kernel of one vector beats the roof.
TEST(MachinePeak, OfAStreamInL1IsThatOfItsShares) {
  ThreadPool pool({0});
  const Target target = target_of_l1(32 << 10);
  const double few = measure_stream(pool, target, 64, 64);
  const double many = measure_stream(pool, target, 12 << 10, 12 << 10);
  EXPECT_GT(few, many / 4);  // a call for each 64 bytes made it a thirtieth
  EXPECT_LT(few, many * 4);
  // Loads and stores are made at once: what only stores moves no more bytes than a copy.
  EXPECT_GT(many, measure_stream(pool, target, 0, 24 << 10) * 1.1);
}

}  // namespace
}  // namespace dovetail
