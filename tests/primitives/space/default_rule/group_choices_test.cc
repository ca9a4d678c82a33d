// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_choices.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "primitives/space/direct/direct.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

Choices choices_of(const char* spec) {
  const Target target = testing::target_of_profile("h200_ptx.profile");
  const Region region = testing::right(parse_region(spec));
  const ContractionPlan plan = testing::right(direct_plan(region, target, RowAxes::apart));
  return group_choices(ProductTraits(plan, target)).choices;
}

// Rows of channels in a copy begin in other banks, where they are of whole vectors.
TEST(GroupChoices, PadRowsOfWholeVectors) {
  const auto pad = [](const char* spec) {
    return chosen(choices_of(spec), {ParameterKind::row_pad, "X"}, 0);
  };
  EXPECT_GT(pad("c2d:ci=64,co=64,h=56,w=56,k=3,p=1"), 0);
  EXPECT_EQ(pad("c2d:n=1,ci=3,co=64,h=224,w=224,k=7,s=2,p=3"), 0);
}

}  // namespace
}  // namespace dovetail
