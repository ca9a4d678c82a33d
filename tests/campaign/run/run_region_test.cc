// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_region.h"

#include <gtest/gtest.h>

#include <vector>

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
  const RegionInputs inputs{{"X", x}, {"W", std::vector<float>(x.size(), w)}};
  return check_region(region, {}, {}, views_of(inputs), views_of({{"Y", {found}}}));
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

}  // namespace
}  // namespace dovetail
