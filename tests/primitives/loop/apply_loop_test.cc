// SPDX-License-Identifier: Apache-2.0
//
// The default loops of a padding pass that the trace does not schedule.
#include "primitives/loop/apply_loop.h"

#include <gtest/gtest.h>

#include "primitives/apply.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::opencl_with_images;
using testing::operator_of;

// Default loops of X's padding pass.
std::string copy_loops(std::string_view spec, const std::string& layout, const Target& target) {
  const Schedule schedule =
      *apply(*parse_trace("layout X: " + layout + "\n"), operator_of(spec), target);
  EXPECT_EQ(schedule.stages[0].name, "X.pad");
  return testing::print_loops(schedule.stages[0]);
}

constexpr const char* kBatchedConvolution = "c2d:n=2,ci=32,co=4,h=8,w=8,k=3,p=1";

TEST(CopyLoops, VectorizeTheInnermostAxisAndShareTheOutermost) {
  EXPECT_EQ(
      copy_loops(kBatchedConvolution, "pad(axis=h, before=1, after=1) reorder(n, h, w, i)", cpu()),
      "n:2 parallel h:10 w:8 i.0:2 i.1:16 vectorized");
  EXPECT_EQ(copy_loops(kBatchedConvolution, "pad(axis=h, before=1, after=1) reorder(n, h, w, i)",
                       cpu(4, 16)),
            "n:2 parallel h:10 w:8 i.0:8 i.1:4 vectorized");
}

TEST(CopyLoops, ShareTheFirstLoopThatHasMoreThanOneIteration) {
  EXPECT_EQ(copy_loops("c2d:ci=16,co=4,h=8,w=8,k=3,p=1",
                       "pad(axis=h, before=1, after=1) reorder(n, h, w, i)", cpu()),
            "n:1 h:10 parallel w:8 i:16 vectorized");
}

TEST(CopyLoops, TakeALargerVectorThatDividesWhereTheLanesDoNot) {
  EXPECT_EQ(copy_loops("c2d:ci=4,co=4,h=8,w=8,k=3,p=1",
                       "pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)", cpu()),
            "n:1 i:4 parallel h:10 w:10 vectorized");
  EXPECT_EQ(copy_loops("c2d:ci=4,co=4,h=8,w=49,k=3,p=1", "pad(axis=h, before=1, after=1)", cpu()),
            "n:1 i:4 parallel h:10 w.0:7 w.1:7 vectorized");
}

TEST(CopyLoops, BindWholeLoopsToGroupsAndWorkItems) {
  const auto loops_on = [](int64_t units) {
    Target target = opencl_with_images();
    target.compute_units = units;
    return copy_loops(kBatchedConvolution,
                      "pad(axis=h, before=1, after=1) split(axis=i, factor=4)"
                      " reorder(n, i.0, h, w, i.1)",
                      target);
  };
  EXPECT_EQ(loops_on(4),
            "n_i.0:16 bind group.0 h:10 bind thread.1 w:8 bind thread.0 i.1:4 vectorized");
  EXPECT_EQ(loops_on(132), "n_i.0_h:160 bind group.0 w:8 bind thread.0 i.1:4 vectorized")
      << "every unit has a group";
}

}  // namespace
}  // namespace dovetail
