// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/default_loops.h"

#include <gtest/gtest.h>

#include "core/ir/program/work_groups.h"
#include "tests/primitives/lowered.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

WorkGroups of_kernel(const Program& program, std::string_view name) {
  for (const Kernel& kernel : program.kernels)
    if (kernel.name == name) return work_groups_of(kernel);
  ADD_FAILURE() << "no kernel " << name << "\n" << print(program);
  return {};
}

Program winograd_of(std::string_view spec, const Target& target) {
  const std::string trace = "algorithm: winograd(tile=2)\n";
  return right(lowered(spec, trace, target), trace);
}

// Its 3-D tiles have five loops outside of the vectors, more than a device has axes of groups.
TEST(DefaultLoops, GiveTransformsOfThreeDimensionsGroupsOfManyWorkItems) {
  Target target = target_of_profile("h200.profile");
  const char* spec = "c3d:ci=16,co=16,depth=8,h=8,w=8,k=3,p=1";
  const Program program = winograd_of(spec, target);
  for (const char* kernel : {"wino_X", "c3d"}) {
    EXPECT_GE(of_kernel(program, kernel).work_items, 16) << print(program);
    EXPECT_LE(of_kernel(program, kernel).work_items, 64);
  }
  EXPECT_TRUE(computes(operator_of(spec), program));
  target.max_work_item_sizes = {4, 2, 1};
  const Program narrow = winograd_of(spec, target);
  EXPECT_LE(of_kernel(narrow, "wino_X").work_items, 8) << print(narrow);
  EXPECT_TRUE(computes(operator_of(spec), narrow));
}

}  // namespace
}  // namespace dovetail::testing
