// SPDX-License-Identifier: Apache-2.0
#include "measure/runner/run_here.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/cores.h"
#include "primitives/space/space.h"
#include "tests/measure/candidates.h"
#include "tests/measure/regions_here.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

#if DOVETAIL_HAVE_LLVM
TEST(RunHere, ComputesEveryWrittenRegion) {
  testing::expect_written_regions_right(testing::host_target());
}

TEST(RunHere, ComputesThemWithRandomTraces) {
  testing::expect_random_traces_right(testing::host_target(), 6);
}

TEST(RunHere, ComputesRandomRegions) {
  testing::expect_random_regions_right(testing::host_target(), 40);
}

NDArray array_computed(std::string_view spec, const NamedArrays& inputs) {
  const Target target = testing::host_target();
  const Region region = testing::written_region(spec);
  const Program program = right(
      testing::lowered(region, right(build_space(region, target)).default_trace(), target), spec);
  return right(run_here(program, target, inputs), spec).outputs.at(region.outputs[0]);
}

std::vector<float> computed(std::string_view spec, const NamedArrays& inputs) {
  return floats_of(array_computed(spec, inputs));
}

TEST(RunHere, GathersAlongAReducedAxis) {
  std::vector<float> rows;
  for (int i = 0; i < 40; ++i) rows.push_back(static_cast<float>(i));
  const NamedArrays inputs = {
      {"I", std::vector<int64_t>{2, 0, 9, 12, 1}}, {"B", {1, 2, 3, 4, 5}}, {"T", rows}};
  EXPECT_EQ(computed("Y[i]+=T[clamp(I[k],0,9),i]:i=4,k=5,T=10x4,I=5xi64", inputs),
            (std::vector<float>{84, 89, 94, 99}));  // rows 2, 0, 9, 9 and 1
  EXPECT_EQ(computed("Y[i]=sum(T[clamp(I[k],0,9),i]*B[k]):i=4,k=5,T=10x4,I=5xi64", inputs),
            (std::vector<float>{280, 295, 310, 325}));
}

// In registers, as f32 would round what is reduced.
TEST(RunHere, ReducesIntegersThatDataChooseIntoRealNumbers) {
  const NamedArrays inputs = {{"G", std::vector<int64_t>{1, 5, 3, 8, 2, 9}},
                              {"H", std::vector<uint32_t>{1, 2, 0, 9}}};
  EXPECT_EQ(computed("Y[a]=real(min(G[a,clamp(H[a,b],0,2)]))*0.5:a=2,b=2,G=2x3xi64,H=u32", inputs),
            (std::vector<float>{1.5, 4}));
}

// Twice the least integer is 0, which is more than these.
TEST(RunHere, TakesWhatLiesBeyondIntegersForInfinite) {
  const NamedArrays inputs = {{"X", {-1, -4, -2, -3, -5, -7, -6, -8}}};
  EXPECT_EQ(computed("Y[i]max=real(X[i+j-1]*2):i=8,j=3,X=8xi32", inputs),
            (std::vector<float>{-2, -2, -4, -4, -6, -10, -12, -12}));
  EXPECT_EQ(computed("Y[i]max=X[i+j-1]*2:i=8,j=3,X=8xi8", inputs),
            (std::vector<float>{-2, -2, -4, -4, -6, -10, -12, -12}));
  EXPECT_EQ(computed("Y[i]min=X[i+j-1]*(-3):i=8,j=3,X=8xi64", inputs),
            (std::vector<float>{-0x1p63F, 3, 6, 6, 9, 15, 18, -0x1p63F}));
  EXPECT_EQ(computed("Y[i]max=X[i+j-9]:i=3,j=3,X=8xi16", inputs)[0], -0x1p63F);
  EXPECT_EQ(computed("Y[i]max=real(X[i+j-9]):i=3,j=3,X=8xi16", inputs)[0],
            -std::numeric_limits<float>::infinity());
}

TEST(RunHere, IntegersBesideOnesThatDoNotExistStayExact) {
  constexpr int64_t kLarge = (int64_t{1} << 40) + 1;
  const NamedArrays inputs = {{"X", std::vector<int64_t>{1 - kLarge, kLarge, 5}},
                              {"Z", std::vector<int64_t>{kLarge, kLarge + 1, 3}}};
  const NDArray smaller =
      array_computed("Y[i]min=min(X[i+j-2]*2,Z[i]):i=3,j=2,X=3xi64,Z=3xi64", inputs);
  EXPECT_EQ(smaller.integer(0), kLarge);
  EXPECT_EQ(smaller.integer(1), 2 - 2 * kLarge);
  const NDArray selected =
      array_computed("Y[i]max=select(j<1,Z[i],X[i+j+1]+1):i=3,j=2,X=3xi64,Z=3xi64", inputs);
  EXPECT_EQ(selected.integer(0), kLarge);
  EXPECT_EQ(selected.integer(1), kLarge + 1);
}

TEST(RunHere, ComputesPointsOfSpacesWithoutAProduct) {
  testing::expect_points_right(testing::host_target(), 4);
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

TEST(RunHere, GivesTheMedianTimeWhenAsked) {
  const Target target = testing::host_target();
  const Program program =
      right(testing::lowered(testing::written_region("Y[i]=exp(X[i]):i=4"), {}, target));
  const Result<RunHere> run =
      run_here(program, target, {{"X", {0, 0, 0, 0}}}, TimingRule{.budget_seconds = 1e-3});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GT(run->seconds, 0);
  EXPECT_EQ(run->outputs.at("Y"), (NDArray{1, 1, 1, 1}));
}

TEST(RunHere, LeavesTheCallersThreadOnItsCores) {
  const Target target = testing::host_target();
  const Program program =
      right(testing::lowered(testing::written_region("Y[i]=exp(X[i]):i=4"), {}, target));
  const std::vector<int> before = allowed_cores();
  ASSERT_TRUE(run_here(program, target, {{"X", {0, 0, 0, 0}}}));
  EXPECT_EQ(allowed_cores(), before);
}
#endif

}  // namespace
}  // namespace dovetail
