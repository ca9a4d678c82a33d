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

// Four channels are one vector: the loop over tiles is the only one outside of it.
TEST(DefaultLoops, ShareTheOnlyLoopOfATransformAmongWorkItems) {
  const Program program = right(lowered("c1d:ci=4,co=4,w=256,k=3,p=1",
                                        "algorithm: winograd(tile=2)\n"
                                        "layout X: reorder(n, w, i)\n"
                                        "layout X.wino: reorder(aw, n, tw, i)\n",
                                        target_of_profile("h200.profile")));
  EXPECT_EQ(of_kernel(program, "wino_X").work_items, 64) << print(program);
  EXPECT_EQ(of_kernel(program, "wino_X").groups, 2);
}

// W's parts of 8 along k are cut in the memory it is read from in pairs: both are digits of the
// loops as they are, but not of one loop that is all of them.
TEST(DefaultLoops, KeepLoopsOfACopyApartWhoseDigitsOneLoopWouldHide) {
  const char* spec = "gmm:m=8,n=21,k=16,tb=1,b_const=0";
  const Program program = right(lowered(
      spec,
      "layout X: pad(axis=m, before=0, after=2) split(axis=m, factor=5) reorder(b, m.0, k, m.1)\n"
      "layout W: pad(axis=n, before=0, after=3) split(axis=n, factor=8) split(axis=k, factor=2) "
      "split(axis=k.0, factor=4) reorder(b, k.0.0, k.0.1, n.0, k.1, n.1)\n"
      "layout Y: pad(axis=m, before=0, after=2) pad(axis=n, before=0, after=3)\n"
      "loops: split(loop=m, factor=5) ; split(loop=n, factor=8) ; split(loop=n.1, factor=4) ; "
      "split(loop=k, factor=8) ; split(loop=k.1, factor=2) ; "
      "reorder(n.0, m.0, k.0, k.1.0, k.1.1, m.1, n.1.0, n.1.1) ; unroll(k.1.1) ; unroll(m.1) ; "
      "unroll(n.1.0) ; vectorize(n.1.1) ; bind(n.0, group.0) ; bind(m.0, thread.0) ; "
      "cache_write(tensor=Y, at=m.0)\n",
      target_of_profile("h200.profile")));
  EXPECT_TRUE(computes(operator_of(spec), program));
  EXPECT_GT(of_kernel(program, "pad_W").work_items * of_kernel(program, "pad_W").groups, 1);
}

}  // namespace
}  // namespace dovetail::testing
