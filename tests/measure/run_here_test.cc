// SPDX-License-Identifier: Apache-2.0
#include "measure/run_here.h"

#include <gtest/gtest.h>

#include "tests/measure/candidates.h"
#include "tests/measure/regions_here.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

#if DOVETAIL_HAVE_LLVM
TEST(RunHere, ComputesEveryWrittenRegion) {
  testing::expect_written_regions_right(testing::host_target());
}

TEST(RunHere, ComputesThemWithRandomTraces) {
  testing::expect_random_traces_right(testing::host_target());
}

TEST(RunHere, ComputesSlidingStagesWithRings) {
  testing::expect_sliding_traces_right(testing::host_target());
}

TEST(RunHere, ComputesABottleneckInBandsOfRows) {
  testing::expect_bottleneck_right(testing::host_target());
}

TEST(RunHere, NamesTheTensorThatIsMissingOrOfAnotherSize) {
  const Target target = testing::host_target();
  const Result<Program> program =
      testing::lowered(testing::written_region("Y[i]=exp(X[i]):i=4"), {}, target);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_ERROR(run_here(*program, target, {}), "tensor X is not given");
  EXPECT_ERROR(run_here(*program, target, {{"X", {1, 2}}}), "tensor X has 2 elements, expected 4");
}
#endif

}  // namespace
}  // namespace dovetail
