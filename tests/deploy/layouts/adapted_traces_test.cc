// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/adapted_traces.h"

#include <gtest/gtest.h>

#include <string>

#include "core/codegen/llvm/cpu_target.h"
#include "deploy/layouts/choose_layouts.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// A log has the first convolution in blocks and the second with channels innermost.
LayoutAlternatives alternatives(const Partition& parts, const Target& target) {
  const TracesOfTask traces = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    const bool is_first = print(task).find("ci=32") != std::string::npos;
    const FixedLayout layout = is_first ? FixedLayout::nohw16o : FixedLayout::nhwo;
    return std::vector<TimedTrace>{
        {.trace = TRY(build_space(task, target, layout)).default_trace(), .seconds = 1}};
  };
  return right(layout_alternatives(parts, target, traces, Propagation::both));
}

// On a CPU with sixteen lanes: with eight, both regions' defaults have one layout in common.
TEST(AdaptedTraces, ReadWhatTheRegionInFrontMakes) {
  const Partition parts = parts_of(testing::kTwoConvolutions);
  TargetName name;
  name.arch = "skylake-avx512";
  const Target target = right(cpu_target(name));
  LayoutAlternatives found = alternatives(parts, target);
  const size_t known = found.nodes[1].size();
  add_adapted_traces(parts, target, found);
  ASSERT_GT(found.nodes[1].size(), known);
  const TensorId between = parts.regions[1].given[0].second;
  const LayoutAlternative& adapted = found.nodes[1].back();
  EXPECT_EQ(adapted.adapted_from, found.nodes[1][0].key);
  EXPECT_EQ(adapted.forms.at(between), found.nodes[0][0].forms.at(between));
  EXPECT_NE(adapted.forms.at(between), found.nodes[1][0].forms.at(between));
}

// A log's times are of other traces; measured, one of them is as good as any.
TEST(AdaptedTraces, RunRightAndAreForThoseWhoMeasure) {
  const Partition parts = parts_of(testing::kTwoConvolutions);
  const Target target = cpu_here();
  LayoutAlternatives found = alternatives(parts, target);
  add_adapted_traces(parts, target, found);
  const LayoutChoice logged = choose_layouts(parts, found, logged_costs(parts, found));
  for (size_t node = 0; node < found.nodes.size(); ++node)
    EXPECT_TRUE(found.nodes[node][logged.picked[node]].adapted_from.empty());
  const LayoutCosts measured{
      .region = [](size_t, const LayoutAlternative&) { return 1.0; },
      .conversion = [](TensorId, const NormalLayout&, const NormalLayout&) { return 0.1; }};
  const LayoutChoice chosen = choose_layouts(parts, found, measured);
  EXPECT_LT(chosen.cost, cost_of(parts, found, measured, logged.picked));
  const LoweredNetwork lowered =
      right(lower_network(parts, target, default_traces(target), chosen.network));
  EXPECT_TRUE(runs_right(parts, lowered));
}

}  // namespace
}  // namespace dovetail
