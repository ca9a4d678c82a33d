// SPDX-License-Identifier: Apache-2.0
#include "core/ir/resident_groups.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dovetail {
namespace {

UnitRoom h200() {
  return {.registers = 65536, .work_items = 2048, .local_bytes = 233472, .registers_of_item = 252};
}

ResidentGroups resident(double work_items, double registers, double local_bytes) {
  return resident_groups(
      {.work_items = work_items, .registers = registers, .local_bytes = local_bytes}, h200());
}

TEST(ResidentGroups, AreLimitedByWhatIsUsedUpFirst) {
  using enum ResidentLimit;
  // 65536 / (96 * 96) = 7.1, 233472 / 38400 = 6.08, 2048 / 96 = 21.3
  EXPECT_EQ(resident(96, 96, 38400), (ResidentGroups{6, local_memory}));
  EXPECT_EQ(resident(96, 96, 0), (ResidentGroups{7, registers}));
  EXPECT_EQ(resident(256, 32, 0), (ResidentGroups{8, registers})) << "as by work-items";
  EXPECT_EQ(resident(256, 16, 1024), (ResidentGroups{8, work_items}));
  EXPECT_EQ(resident(32, 32, 1024), (ResidentGroups{32, groups}));
  EXPECT_EQ(resident(1024, 96, 0), (ResidentGroups{0, registers}));
}

// The groups fit, and one more would not.
RC_GTEST_PROP(ResidentGroups, FillTheUnit, ()) {
  const auto between = [](int least, int most) {
    return static_cast<double>(*rc::gen::inRange(least, most + 1));
  };
  const UnitRoom room{.registers = between(1, 1 << 18),
                      .work_items = between(1, 4096),
                      .local_bytes = between(1, 1 << 18),
                      .groups = between(1, 32)};
  const GroupNeeds needs{.work_items = between(1, 1024),
                         .registers = between(1, 255),
                         .local_bytes = between(0, 1 << 16)};
  const auto fits = [&](double groups) {
    return groups * needs.registers * needs.work_items <= room.registers &&
           groups * needs.work_items <= room.work_items &&
           groups * needs.local_bytes <= room.local_bytes && groups <= room.groups;
  };
  const double found = resident_groups(needs, room).groups;
  RC_ASSERT(fits(found));
  RC_ASSERT(!fits(found + 1));
}

TEST(UnitRoom, IsKnownOnlyWhereTheTargetStatesIt) {
  Target target;
  target.execution = ExecutionModel::work_groups;
  EXPECT_FALSE(unit_room(target));
  target.vector_registers = 63;
  target.unit_registers = 65536;
  target.unit_work_items = 2048;
  EXPECT_FALSE(unit_room(target));
  target.unit_local_bytes = 233472;
  ASSERT_TRUE(unit_room(target));
  EXPECT_EQ(unit_room(target)->registers_of_item, 252);
}

// 48 sums, a vector for each of 6 rows, and two for each of 2 vectors of columns.
TEST(EstimatedRegisters, CountAProductsTile) {
  EXPECT_EQ(estimated_registers({.kept = 48, .rows = 6, .vectors = 2}, 4), 48 + 24 + 16 + 40);
}

}  // namespace
}  // namespace dovetail
