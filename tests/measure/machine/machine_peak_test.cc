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
  const auto falls = [&] {
    return measure_stream(pool, target, 8 << 10, 8 << 10) >
           measure_stream(pool, target, 8 << 20, 8 << 20);
  };
  bool fell = false;  // what else runs here can slow one measurement down, not each of several
  for (int attempt = 0; attempt < 8 && !fell; ++attempt) fell = falls();
  EXPECT_TRUE(fell);
}

TEST(MachinePeak, OfL1HasARateOfLoadsAndOneOfStores) {
  ThreadPool pool({0});
  const L1Rates rates = measure_l1_rates(pool, target_of_l1(32 << 10));
  for (const double rate : {rates.loaded, rates.stored}) {
    EXPECT_GT(rate, 1e8);
    EXPECT_LT(rate, 1e13);
  }
}

// Else a kernel of one vector beats the roof.
TEST(MachinePeak, OfAStreamInL1DependsOnItsShareOfStoresAlone) {
  const L1Rates rates{.loaded = 200e9, .stored = 100e9};
  EXPECT_DOUBLE_EQ(stream_in_l1(rates, 64, 64), stream_in_l1(rates, 12 << 10, 12 << 10));
}

TEST(MachinePeak, OfAStreamInL1IsTheSlowerOfLoadsAndStores) {
  const L1Rates rates{.loaded = 200e9, .stored = 100e9};
  EXPECT_DOUBLE_EQ(stream_in_l1(rates, 64, 64), 200e9);
  EXPECT_DOUBLE_EQ(stream_in_l1(rates, 0, 64), 100e9);
  EXPECT_DOUBLE_EQ(stream_in_l1(rates, 64, 0), 200e9);
  EXPECT_DOUBLE_EQ(stream_in_l1(rates, 64, 32), 300e9);  // both at once
}

}  // namespace
}  // namespace dovetail
