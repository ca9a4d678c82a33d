// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/clocked_runner.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace dovetail {
namespace {

class NoDevice : public Runner {
 public:
  void submit(MeasureInput) override { ++in_flight_; }
  MeasureResult wait() override {
    --in_flight_;
    return {};
  }
  size_t in_flight() const override { return in_flight_; }

 private:
  size_t in_flight_ = 0;
};

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

TEST(ClockedRunner, StandsUntilItIsAsked) {
  NoDevice device;
  ClockedRunner runner(device, /*runs=*/false);
  wait_a_moment();
  EXPECT_EQ(runner.seconds(), 0);
  runner.submit({});
  EXPECT_EQ(runner.in_flight(), 1u);
  wait_a_moment();
  EXPECT_GE(runner.seconds(), 0.002);
  runner.wait();
  EXPECT_EQ(device.in_flight(), 0u);
}

TEST(ClockedRunner, OfANewCampaignRunsFromTheStart) {
  NoDevice device;
  const ClockedRunner runner(device, /*runs=*/true);
  wait_a_moment();
  EXPECT_GE(runner.seconds(), 0.002);
}

}  // namespace
}  // namespace dovetail
