// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan_text.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

#include "core/memory/planner.h"
#include "core/memory/problem_text.h"
#include "core/memory/validator/validate_plan.h"
#include "tests/deploy/network/random_network.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

TEST(NetworkPlanText, SaysWhereEverythingThatIsKeptLies) {
  const NetworkProgram network = right(parse_network(R"(network two
program 0
buffer A: f32 activation A[a=32] as [a@1:32]
buffer C: f32 constant C[a=3] as [a@1:3]
buffer B: f32 output B[a=32] as [a@1:32]
kernel step
  for a in 0..32
    B[a] = A[a] + C[0]
storage
buffer x: f32 activation x[a=32] as [a@1:32]
buffer k: f32 constant k[a=3] as [a@1:3]
buffer t: f32 temporary t[a=32] as [a@1:32]
buffer y: f32 output y[a=32] as [a@1:32]
holds x x
holds k k
holds y y
calls
call a 0 x k t
call b 0 t k y
)"));
  const NetworkPlan inside = right(plan_network(network, {.boundary = NetworkBoundary::inside}));
  EXPECT_EQ(plan_text(network, inside),
            "id,lower,upper,size,alignment,pools,offset,access\n"
            "x,0,1,128,64,workspace,128,rw\n"
            "k,0,2,64,64,constants,0,ro\n"
            "t,0,2,128,64,workspace,0,rw\n"
            "y,1,2,128,64,workspace,128,rw\n");
  EXPECT_NE(plan_text(network, right(plan_network(network))).find("x,0,2,128,64,boundary,0,rw\n"),
            std::string::npos);
  const std::string picture = plan_picture(network, inside);
  for (const char* part : {"two: memory over its kernels", ">temporaries<", ">inputs<", ">outputs<",
                           ">constants<", "workspace: 256 bytes, 3 buffers"})
    EXPECT_NE(picture.find(part), std::string::npos) << part;
}

// A reader of the text finds the plan valid, pool by pool as large as the network's plan says.
RC_GTEST_PROP(NetworkPlanText, IsReadAsThePlanThatItIs, ()) {
  const NetworkProgram network = random_network(*rc::gen::inRange<uint64_t>(0, 1 << 20));
  const NetworkPlanOptions options{
      .workspace = {{.name = "sram",
                     .limit_bytes = *rc::gen::inRange<int64_t>(0, 20'000),
                     .alignment = 128},
                    network_pool("dram")},
      .boundary = *rc::gen::element(NetworkBoundary::apart, NetworkBoundary::inside)};
  const NetworkPlan plan = right(plan_network(network, options));
  const StatedPlan stated = stated_plan(network, plan);
  RC_ASSERT(validate_plan(stated.problem, stated.plan).has_value());
  const PlanningProblem read = right(parse_problem(plan_text(network, plan), "plan.csv"));
  const PlanningResult again = right(plan_memory(read, "exact"));
  const std::vector<int64_t> peaks = pool_peaks(read, again.plan);
  for (size_t pool = 0; pool < peaks.size(); ++pool) {
    const auto arena = std::ranges::find(plan.arenas, read.pools[pool].name, &NetworkArena::name);
    RC_ASSERT(arena != plan.arenas.end());
    RC_ASSERT(arena->bytes == peaks[pool]);
  }
  for (size_t i = 0; i < read.buffers.size(); ++i)
    RC_ASSERT(read.buffers[i].offset == stated.plan.placements[i].offset);
}

}  // namespace
}  // namespace dovetail::testing
