// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_choices.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "primitives/space/direct/direct.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/space.h"
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

bool copies_x(const Choices& choices) {
  return chosen(choices, {ParameterKind::cache_read, "X"}, 0) != 0;
}
bool keeps_phase(const Choices& choices, const char* axis) {
  return chosen(choices, {ParameterKind::phase, axis}, 0) == 1;
}

// Pixels are read once for all phases, by vectors of them.
TEST(GroupChoices, KeepPhasesWhereVectorsAreOfPixels) {
  const Choices one = choices_of("t3d:n=1,ci=64,co=1,depth=32,h=32,w=32,k=4,s=2,p=1");
  EXPECT_TRUE(keeps_phase(one, "w"));
  EXPECT_TRUE(keeps_phase(one, "h"));
  EXPECT_FALSE(keeps_phase(one, "d")) << "beyond the second row axis";
  EXPECT_FALSE(copies_x(one));
  const Choices many = choices_of("t3d:n=1,ci=64,co=32,depth=16,h=16,w=16,k=4,s=2,p=1");
  EXPECT_FALSE(keeps_phase(many, "w"));
  EXPECT_TRUE(copies_x(many));
}

// The default of a large product: X[k, m], copies of three more rounds on their way, no padding.
TEST(GroupChoices, PutTheReductionOfAProductFirst) {
  const Choices large = choices_of("gmm:m=4096,n=4096,k=4096");
  EXPECT_EQ(chosen(large, {ParameterKind::channel_tiles, "X"}), 0);
  EXPECT_EQ(chosen(large, {ParameterKind::row_pad, "X"}, 0), 0);
  EXPECT_EQ(chosen(large, ParameterKind::double_buffer, 0), 3);
  EXPECT_TRUE(copies_x(large));
  const Choices convolution = choices_of("c2d:ci=64,co=64,h=56,w=56,k=3,p=1");
  EXPECT_EQ(chosen(convolution, {ParameterKind::channel_tiles, "X"}), 1);
}

// Parts have a tensor of their own, whose sums f16 would be too narrow for.
TEST(GroupChoices, CutReductionsOfNarrowOutputs) {
  const Choices one_row = choices_of("gmm:m=1,n=1000,k=1280,dtype=f16");
  EXPECT_GT(chosen(one_row, {ParameterKind::reduction_parts, "k"}), 1);
}

// Convolutions by tensor cores store channels in blocks of 8, and neighbouring pixels beside them.
TEST(GroupChoices, StoreDepthwiseChannelsAsNeighboursDo) {
  const Target hopper = testing::target_of_profile("h200_ptx.profile");
  const auto layouts = [](const std::string& spec, const Target& target) {
    const Region region = testing::right(parse_region(spec), spec);
    return print(testing::right(build_space(region, target), spec).default_trace());
  };
  const std::string blocks = "layout Y: split(axis=c, factor=8) reorder(n, c.0, h, w, c.1)";
  const std::string halves = layouts("dep:c=384,h=14,w=14,k=3,p=1,dtype=f16", hopper);
  EXPECT_NE(halves.find(blocks), std::string::npos) << halves;
  EXPECT_NE(halves.find("bind(w, thread.1) ; bind(c.1.0, thread.0)"), std::string::npos) << halves;
  EXPECT_EQ(layouts("dep:c=384,h=14,w=14,k=3,p=1", hopper).find(blocks), std::string::npos);
  const Target opencl = testing::target_of_profile("h200.profile");
  EXPECT_EQ(layouts("dep:c=384,h=14,w=14,k=3,p=1,dtype=f16", opencl).find(blocks),
            std::string::npos);
}

// Networks store X as frameworks do; then rows of the reduction begin in other banks.
TEST(GroupChoices, KeepTheOrderOfFixedLayouts) {
  const Target target = testing::target_of_profile("h200_ptx.profile");
  const Region region = testing::right(parse_region("gmm:m=128,n=768,k=768"));
  const Space own = testing::right(build_space(region, target));
  EXPECT_NE(print(own.default_trace()).find("layout X: reorder(b, k, m)"), std::string::npos);
  const Space fixed = testing::right(build_space(region, target, FixedLayout::nhwo));
  const std::string trace = print(fixed.default_trace());
  EXPECT_NE(trace.find("cache_read(tensor=X, at=k.0, scope=local, pad=4)"), std::string::npos)
      << trace;
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
