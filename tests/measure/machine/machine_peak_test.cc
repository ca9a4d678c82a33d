// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/machine_peak.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace dovetail {
namespace {

// Nothing is so small, and no side so much larger than the other, that there is no loop for it.
TEST(MachinePeak, OfAStreamHasARateForAnyReadsAndWrites) {
  ThreadPool pool({0});
  for (const auto& [read, written] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {4, 4}, {64, 0}, {1 << 20, 4}, {4, 1 << 20}, {1 << 20, 1 << 20}, {300000, 77777}}) {
    const double rate = measure_stream(pool, read, written);
    EXPECT_GT(rate, 1e8) << read << " " << written;
    EXPECT_LT(rate, 1e13) << read << " " << written;
  }
}

// Sixteen megabytes are in no nearer cache, 16 KiB in the first.
TEST(MachinePeak, OfAStreamFallsWithItsSize) {
  ThreadPool pool({0});
  EXPECT_GT(measure_stream(pool, 8 << 10, 8 << 10), measure_stream(pool, 8 << 20, 8 << 20));
}

}  // namespace
}  // namespace dovetail
