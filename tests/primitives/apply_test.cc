// SPDX-License-Identifier: Apache-2.0
#include "primitives/apply.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "primitives/with_layouts.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::operator_of;

Result<Schedule> schedule_of(std::string_view spec, std::string_view trace) {
  return apply(TRY(parse_trace(trace)), operator_of(spec), cpu());
}

// Layout of a tensor of the schedule, as printed.
std::string layout_in(const Schedule& schedule, std::string_view name) {
  for (const ScheduledTensor& tensor : schedule.tensors) {
    if (tensor.name == name) return print(tensor.layout, tensor.tensor);
  }
  return "none";
}

TEST(Apply, BeforeAnyPrimitiveLoopsAreTheAxes) {
  const Schedule schedule =
      *with_layouts({}, region_of(operator_of("c2d:ci=3,co=4,h=5,w=5,k=3,p=1+bias")), {}, {});
  EXPECT_GOLDEN(print(schedule), "primitives/initial_schedule");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(Apply, GivesAScheduleThatPrintsAndParses) {
  const Schedule schedule =
      *schedule_of("c2d:ci=8,co=8,h=6,w=6,k=3,p=1+bias+add+relu",
                   "layout X: pad(axis=h, before=1, after=1) split(axis=i, factor=4)\n"
                   "layout Y: split(axis=o, factor=4) reorder(n, o.0, h, w, o.1)\n"
                   "loops: fuse(h, w) ; split(loop=i, factor=4) ; unroll(i.1) ; reorder(i.1, i.0) "
                   "; vectorize(o.1)\n");
  EXPECT_GOLDEN(print(schedule), "primitives/schedule");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(Apply, MakesACopyOfWhatIsPaddedAndNotOfWhatIsReordered) {
  const Schedule padded = *schedule_of("c1d:ci=4,co=4,w=8,k=3,p=1",
                                       "layout X: pad(axis=w, before=1, after=1) reorder(w, i)\n");
  ASSERT_EQ(padded.stages.size(), 2u);
  EXPECT_EQ(padded.stages[0].name, "X.pad");
  EXPECT_EQ(layout_in(padded, "X"), "X[n=1, i=4, w=8] as [n@1:1] [w@1:8] [i@1:4]");
  EXPECT_EQ(layout_in(padded, "X.pad"), "X[n=1, i=4, w=8] as [n@1:1] [w@1:10] [i@1:4] offset w=-1");
  const Schedule reordered = *schedule_of("c1d:ci=4,co=4,w=8,k=3,p=1", "layout X: reorder(w, i)\n");
  EXPECT_EQ(reordered.stages.size(), 1u);
  EXPECT_EQ(layout_in(reordered, "X.pad"), "none");
}

TEST(Apply, PadsAConstantWhereItLies) {
  const Schedule schedule =
      *schedule_of("c1d:ci=4,co=4,w=8,k=3", "layout W: pad(axis=o, before=0, after=3)\n");
  EXPECT_EQ(schedule.stages.size(), 1u);
  EXPECT_EQ(layout_in(schedule, "W"), "W[o=4, i=4, kw=3] as [o@1:7] [i@1:4] [kw@1:3]");
}

TEST(Apply, BiasIsPaddedAndTheAddendLaidOutLikeTheOutput) {
  const Schedule schedule = *schedule_of(
      "c1d:ci=4,co=6,w=8,k=3+bias+add",
      "layout Y: pad(axis=o, before=0, after=2) split(axis=o, factor=4) reorder(o.0, w, o.1)\n");
  EXPECT_EQ(layout_in(schedule, "bias"), "bias[o=6] as [o@4:2 =o.0] [o@1:4 =o.1]");
  EXPECT_EQ(layout_in(schedule, "add.pad"),
            "add[n=1, o=6, w=6] as [n@1:1] [o@4:2 =o.0] [w@1:6] [o@1:4 =o.1]");
}

TEST(Apply, AReductionRunsOverWhatBothOperandsPad) {
  const auto k_extent = [](const char* trace) {
    return schedule_of("gmm:m=4,n=4,k=6", trace)->stages.back().loops.back().extent;
  };
  EXPECT_EQ(k_extent(""), 6);
  EXPECT_EQ(k_extent("layout X: pad(axis=k, before=0, after=2)\n"), 6);
  EXPECT_EQ(k_extent("layout X: pad(axis=k, before=0, after=2)\n"
                     "layout W: pad(axis=k, before=0, after=3)\n"),
            8);
}

TEST(Apply, FailsOnATensorOrStageThatIsNotThere) {
  EXPECT_ERROR(schedule_of("gmm:m=4,n=4,k=6", "layout bias: split(axis=n, factor=2)\n"),
               "layout bias: no such tensor, expected one of X, W, Y");
  EXPECT_ERROR(schedule_of("gmm:m=4,n=4,k=6", "loops W.pad: parallel(k)\n"),
               "loops W.pad: no such stage");
}

TEST(Apply, FailsOnATensorOrStageGivenTwice) {
  const TensorLayout layout{"X", testing::layout_primitives("reorder(m, k)")};
  EXPECT_ERROR(apply({{layout, layout}, {}}, operator_of("gmm:m=4,n=4,k=6"), cpu()),
               "layout X: given twice");
  const StageLoops loops{"", testing::loop_primitives("unroll(k)")};
  const Trace twice{{}, {loops, loops}};
  EXPECT_ERROR(apply(*parse_trace("loops: parallel(j)\n"),
                     *parse_region("Y[j]=exp(X[j]);Z[j]=Y[j]+1:j=4"), cpu()),
               "loops: the region has no anchor; expected `loops STAGE: …`");
  EXPECT_ERROR(apply(twice, operator_of("gmm:m=4,n=4,k=6"), cpu()), "loops gmm: given twice");
}

}  // namespace
}  // namespace dovetail
