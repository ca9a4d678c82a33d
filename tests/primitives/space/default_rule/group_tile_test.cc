// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_tile.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/ir/region/region_text.h"
#include "primitives/space/direct/direct.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

Target gpu() {
  Target target = testing::opencl_with_images();
  target.compute_units = 132;
  target.max_work_group_size = 1024;
  target.local_memory_bytes = 48 << 10;
  target.vector_registers = 63;
  return target;
}

// Calls `use` with the traits, which refer to the plan.
template <typename Use>
void with_traits(const char* spec, Use use) {
  const Target target = gpu();
  const Region region = testing::right(parse_region(spec));
  const ContractionPlan plan = testing::right(direct_plan(region, target, RowAxes::apart));
  use(ProductTraits(plan, target));
}

TEST(GroupTile, FillsLockstepsOfADevice) {
  for (const char* spec :
       {"c2d:ci=64,co=64,h=56,w=56,k=3,p=1", "gmm:m=512,n=512,k=512", "gmm:m=4096,n=4096,k=4096",
        "dep:c=32,h=112,w=112,k=3,p=1", "c3d:ci=256,co=256,depth=16,h=14,w=14,k=3,p=1"})
    with_traits(spec, [&](const ProductTraits& traits) {
      const GroupTile tile = best_group_tile(traits);
      EXPECT_GE(tile.items(), 32) << spec;
      EXPECT_LE(tile.items(), 256) << spec;
      EXPECT_LT(estimated_seconds(traits, tile), 1) << spec;
    });
}

TEST(GroupTile, CutsTheReductionWhereGroupsAreFew) {
  for (const char* spec : {"c2d:ci=512,co=512,h=7,w=7,k=3,p=1",
                           "c2d:n=16,ci=512,co=512,h=7,w=7,k=3,p=1", "gmm:m=1024,n=1024,k=1024"})
    with_traits(spec,
                [](const ProductTraits& traits) { EXPECT_GT(best_group_tile(traits).parts, 1); });
  with_traits("gmm:m=4096,n=4096,k=4096",
              [](const ProductTraits& traits) { EXPECT_EQ(best_group_tile(traits).parts, 1); });
}

// A copy is the box that its group reads: windows of neighbours overlap. Counted apart, they left
// local memory for 16 work-items in a group.
TEST(GroupTile, SharesWindowsInLocalMemory) {
  with_traits("c3d:n=1,ci=3,co=64,depth=16,h=224,w=224,k=7,s=2,p=3",
              [](const ProductTraits& traits) { EXPECT_GE(best_group_tile(traits).items(), 64); });
}

// The last wave takes as long as its groups do, and not as long as a full one.
TEST(GroupTile, OfOneGroupMoreTakesNoOtherWave) {
  const auto seconds = [](const std::string& spec) {
    double found = 0;
    with_traits(spec.c_str(), [&](const ProductTraits& traits) {
      GroupTile tile{.vectors = 2, .rows = {8}, .items_of_vectors = 8, .items_of_rows = {8}};
      tile.block = tile.unroll = 16;
      found = estimated_seconds(traits, tile);
    });
    return found;
  };
  // 64 rows and columns a group, of which some are resident at once on each of 132 units.
  const double wave = seconds("gmm:m=8448,n=512,k=512") / seconds("gmm:m=8512,n=512,k=512");
  EXPECT_GT(wave, 0.7);
}

// A fill by single elements of X needs four times the loads.
TEST(GroupTile, TakesBlocksOfWholeVectors) {
  for (const char* spec :
       {"t2d:ci=64,co=3,h=32,w=32,k=4,s=2,p=1", "grp:ci=512,co=512,h=7,w=7,k=3,p=1,g=4",
        "c1d:ci=512,co=512,w=32,k=3,p=1"})
    with_traits(spec, [&](const ProductTraits& traits) {
      EXPECT_EQ(best_group_tile(traits).block % 4, 0) << spec;
    });
}

// A round that loads the next one's copies waits less, where there is a next one.
TEST(GroupTile, WithTwoCopiesWaitsLessButNeedsRounds) {
  with_traits("gmm:m=512,n=512,k=512", [](const ProductTraits& traits) {
    GroupTile tile = best_group_tile(traits);
    tile.rows[0] = 4, tile.items_of_rows[0] = 4;
    tile.block = tile.unroll = 8, tile.parts = 1, tile.items_of_reduction = 1;
    tile.rounds_ahead = 0;
    const double once = estimated_seconds(traits, tile);
    tile.rounds_ahead = 1;
    EXPECT_LT(estimated_seconds(traits, tile), once);
    tile.parts = 64;
    EXPECT_EQ(estimated_seconds(traits, tile), std::numeric_limits<double>::infinity());
  });
}

// X is put in rows of outputs where a window does not shift them and vectors divide them.
TEST(GroupTile, PutsTheReductionFirstInLargeProducts) {
  const auto puts_first = [](const char* spec) {
    bool found = false;
    with_traits(spec, [&](const ProductTraits& traits) {
      const GroupTile tile = best_group_tile(traits);
      EXPECT_TRUE(!tile.reduction_first || tile.rows.front() % 4 == 0) << spec;
      found = tile.reduction_first;
    });
    return found;
  };
  EXPECT_TRUE(puts_first("gmm:m=4096,n=4096,k=4096"));
  EXPECT_TRUE(puts_first("gmm:b=16,m=512,n=512,k=512"));
  EXPECT_FALSE(puts_first("gmm:m=4095,n=4096,k=4096"));
  EXPECT_FALSE(puts_first("c2d:n=16,ci=64,co=64,h=56,w=56,k=3,p=1"));
}

TEST(GroupTile, IsNeverBeyondLocalMemory) {
  with_traits("gmm:m=512,n=512,k=512", [](const ProductTraits& traits) {
    GroupTile tile = best_group_tile(traits);
    tile.block = 512;
    EXPECT_EQ(estimated_seconds(traits, tile), std::numeric_limits<double>::infinity());
  });
}

TEST(GroupTile, IsASingleWorkItemWhereADeviceHasNoRoom) {
  Target target = gpu();
  target.max_work_group_size = 1;
  target.local_memory_bytes = 0;
  const Region region = testing::right(parse_region("c2d:ci=16,co=16,h=14,w=14,k=3,p=1"));
  const ContractionPlan plan = testing::right(direct_plan(region, target, RowAxes::apart));
  EXPECT_EQ(best_group_tile(ProductTraits(plan, target)).items(), 1);
}

}  // namespace
}  // namespace dovetail
