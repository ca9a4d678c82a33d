// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_region.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/backends/backends.h"
#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// In the order of a kernel that keeps one sum.
float sum_of(const std::vector<float>& x, float w) {
  float sum = 0;
  for (const float value : x) sum += value * w;
  return sum;
}

RegionCheck check_of(const std::vector<float>& x, float w, float found) {
  const Region region = right(parse_region("gmm:m=1,n=1,k=4096"));
  const NamedArrays inputs{{"X", x}, {"W", std::vector<float>(x.size(), w)}};
  return check_region(region, {}, {}, inputs, {{"Y", {found}}});
}

TEST(CheckRegion, AllowsSumsWhoseTermsAreAlikeTheirRounding) {
  const std::vector<float> x(4096, 0.1F);
  const float found = sum_of(x, 0.3F);
  const RegionCheck check = check_of(x, 0.3F, found);
  EXPECT_GT(check.max_rel_error, 1e-6) << "most additions round to one side";
  EXPECT_EQ(check.reason, "");
}

TEST(CheckRegion, SeesTwoTermsTooMany) {
  const std::vector<float> x(4096, 0.1F);
  EXPECT_NE(check_of(x, 0.3F, 4098 * 0.1F * 0.3F).reason, "");
}

class RunRegion : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  }
};

// Sums of what resembles each other round to one side, and are right.
std::string run_of(const std::string& spec, const NamedArrays& inputs) {
  const Target target = right(resolve_target("cpu"));
  const Region region = right(parse_region(spec), spec);
  const CanonicalTask task = canonical(region);
  const RegionTrace chosen =
      right(trace_for(task.spec, target, {}, Caches::hot, {}, definition_only));
  return run_region(region, task, chosen, target, inputs, {}).row.reason;
}

TEST_F(RunRegion, AcceptsSumsOfEqualNumbers) {
  EXPECT_EQ(run_of("Y[c]=sum(X[c,h])/12544:c=4,h=12544",
                   {{"X", std::vector<float>(size_t{4} * 12544, 0.1F)}}),
            "");
  EXPECT_EQ(
      run_of("Y[c]=sum(X[h,c]):c=4,h=5003", {{"X", std::vector<float>(size_t{4} * 5003, 0.7F)}}),
      "");
  EXPECT_EQ(run_of("gmm:m=2,n=3,k=5000", {{"X", std::vector<float>(10000, 0.1F)},
                                          {"W", std::vector<float>(15000, 0.3F)}}),
            "");
}

TEST_F(RunRegion, AddsLongSumsUpInBlocks) {
  const Region region = right(parse_region("Y[c]=sum(X[c,h])/12544:c=4,h=12544"));
  const Target target = right(resolve_target("cpu"));
  const CanonicalTask task = canonical(region);
  const RegionTrace chosen =
      right(trace_for(task.spec, target, {}, Caches::hot, {}, definition_only));
  const SumBound bound = sum_bound(task.spec, chosen.trace, target);
  EXPECT_LT(bound.error(12544), 2e-5);
  const NamedArrays inputs = {{"X", std::vector<float>(size_t{4} * 12544, 0.1F)}};
  const RegionRun run = run_region(region, task, chosen, target, inputs, {});
  EXPECT_NEAR(run.outputs.at("Y").real(0), double{0.1F}, 1e-6);  // one chain: 1.3e-5
}

TEST(CheckRegion, SeesADroppedTermOfALongSum) {
  const Region region = right(parse_region("Y[c]=sum(X[c,h]):c=1,h=12544"));
  const std::vector<float> x(12544, 0.1F);
  const SumBound sums{.longest_chain = 250};
  const auto found = static_cast<float>(0.1F * 12543.0);
  EXPECT_NE(check_region(region, {}, sums, {{"X", x}}, {{"Y", {found}}}).reason, "");
}

}  // namespace
}  // namespace dovetail
