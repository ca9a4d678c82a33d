// SPDX-License-Identifier: Apache-2.0
//
// Regions on OpenCL, whose compilers take half a second for each of these programs.
#include "measure/runner/run_here.h"

#include <gtest/gtest.h>

#include "core/backends/opencl/opencl_targets.h"
#include "tests/measure/regions_here.h"

namespace dovetail {
namespace {

class RunHereOnOpencl : public ::testing::Test {
 protected:
  void SetUp() override {
    target_ = opencl_target(*parse_target_name("opencl:portable"));
    if (!target_) GTEST_SKIP() << target_.error().message;
  }
  Result<Target> target_ = fail("not set up");
};

TEST_F(RunHereOnOpencl, ComputesEveryWrittenRegion) {
  testing::expect_written_regions_right(*target_);
}

TEST_F(RunHereOnOpencl, ComputesThemWithRandomTraces) {
  testing::expect_random_traces_right(*target_, 3);
}

TEST_F(RunHereOnOpencl, ComputesRandomRegions) {
  testing::expect_random_regions_right(*target_, 15);
}

TEST_F(RunHereOnOpencl, ComputesPointsOfSpacesWithoutAProduct) {
  testing::expect_points_right(*target_, 1);
}

TEST_F(RunHereOnOpencl, ComputesABottleneckInBandsOfRows) {
  testing::expect_bottleneck_right(*target_);
}

TEST_F(RunHereOnOpencl, ComputesSlidingStagesWithRings) {
  testing::expect_sliding_traces_right(*target_);
}

}  // namespace
}  // namespace dovetail
