// SPDX-License-Identifier: Apache-2.0
#include "measure/host/device_session.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(PeakHistory, ATimeThatTheMachineCannotReachIsImpossible) {
  PeakHistory history;
  history.add({.fma_gflops = 100, .l1_bytes_per_second = 1e11});
  EXPECT_DOUBLE_EQ(history.least_seconds({5e9, 0}), 0.1);
  EXPECT_DOUBLE_EQ(history.least_seconds({0, 100'000'000'000}), 1);
}

TEST(PeakHistory, TheMedianCountsAndAMoveIsAWarning) {
  PeakHistory history;
  EXPECT_EQ(history.fma_gflops(), 0);
  EXPECT_FALSE(history.add({.fma_gflops = 100}));
  EXPECT_FALSE(history.add({.fma_gflops = 104}));
  const auto warning = history.add({.fma_gflops = 50});
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->find("moved from 102.0 to 50.0"), std::string::npos) << *warning;
  EXPECT_EQ(history.fma_gflops(), 100);
}

TEST(PeakHistory, AMoveIsRepeatedOnlyWhereItIsTwiceAsFar) {
  PeakHistory history;
  history.add({.fma_gflops = 100});
  EXPECT_TRUE(history.add({.fma_gflops = 90}));
  history.add({.fma_gflops = 100});
  EXPECT_FALSE(history.add({.fma_gflops = 85}));
  EXPECT_TRUE(history.add({.fma_gflops = 60}));
}

}  // namespace
}  // namespace dovetail
