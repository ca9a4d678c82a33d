// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan.h"

#include <gtest/gtest.h>

#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// Three kernels in a row; what the first one made is gone when the third one writes.
NetworkProgram chain() {
  return right(parse_network(R"(network chain
program 0
buffer A: f32 activation A[a=32] as [a@1:32]
buffer C: f32 constant C[a=3] as [a@1:3]
buffer B: f32 output B[a=32] as [a@1:32]
kernel step
  for a in 0..32
    B[a] = A[a] + C[0]
storage
buffer x: f32 activation x[a=32] as [a@1:32]
buffer k1: f32 constant k1[a=3] as [a@1:3]
buffer k0: f32 constant k0[a=3] as [a@1:3]
buffer t: f32 temporary t[a=32] as [a@1:32]
buffer u: f32 temporary u[a=32] as [a@1:32]
buffer v: f32 temporary v[a=32] as [a@1:32]
buffer y: f32 output y[a=32] as [a@1:32]
holds x x
holds k0 k0
holds k1 k1
holds y y
calls
call a 0 x k0 t
call b 0 t k1 u
call c 0 u k1 v
call d 0 v k0 y
)"));
}

TEST(NetworkPlan, SharesBytesOfWhatIsNeverAliveAtOnce) {
  const NetworkPlan plan = right(plan_network(chain()));
  EXPECT_EQ(bytes_in(plan, NetworkArena::workspace), 256);
  EXPECT_EQ(plan.lower_bound_bytes, 256);
  EXPECT_EQ(plan.places[3].offset, plan.places[5].offset) << "t and v";
  EXPECT_NE(plan.places[3].offset, plan.places[4].offset);
}

TEST(NetworkPlan, PutsConstantsInTheOrderOfUse) {
  const NetworkPlan plan = right(plan_network(chain()));
  EXPECT_EQ(plan.places[2], (NetworkPlace{NetworkArena::constants, 0})) << "k0 is used first";
  EXPECT_EQ(plan.places[1], (NetworkPlace{NetworkArena::constants, 64}));
  EXPECT_EQ(bytes_in(plan, NetworkArena::constants), 128);
  EXPECT_EQ(bytes_in(plan, NetworkArena::boundary), 256);
}

// Each call prepares a weight of its own, once.
TEST(NetworkPlan, SharesBytesOfRawWeightsOfDifferentCalls) {
  const NetworkPlan plan = right(plan_network(right(parse_network(R"(network prepared
program 0
buffer A: f32 activation A[a=32] as [a@1:32]
buffer C: f32 constant C[a=32] as [a@1:32]
buffer C.made: f32 derived C.made[a=32] as [a@1:32]
buffer B: f32 output B[a=32] as [a@1:32]
kernel prepare once
  for a in 0..32
    C.made[a] = 2 * C[a]
kernel step
  for a in 0..32
    B[a] = A[a] + C.made[a]
storage
buffer x: f32 activation x[a=32] as [a@1:32]
buffer k0: f32 constant k0[a=32] as [a@1:32]
buffer k1: f32 constant k1[a=32] as [a@1:32]
buffer m0: f32 derived m0[a=32] as [a@1:32]
buffer m1: f32 derived m1[a=32] as [a@1:32]
buffer t: f32 temporary t[a=32] as [a@1:32]
buffer y: f32 output y[a=32] as [a@1:32]
holds x x
holds k0 k0
holds k1 k1
holds y y
calls
call a 0 x k0 m0 t
call b 0 t k1 m1 y
)"))));
  EXPECT_EQ(plan.places[1], (NetworkPlace{NetworkArena::preparation, 0}));
  EXPECT_EQ(plan.places[2], (NetworkPlace{NetworkArena::preparation, 0}));
  EXPECT_EQ(bytes_in(plan, NetworkArena::preparation), 128);
  EXPECT_EQ(bytes_in(plan, NetworkArena::constants), 256);
}

TEST(NetworkPlan, StatesAProblemThatPlannersTake) {
  const PlanningProblem problem = workspace_problem(chain());
  ASSERT_EQ(problem.buffers.size(), 3u);
  EXPECT_EQ(problem.buffers[0].id, "t");
  EXPECT_EQ(problem.buffers[0].lifetime, (LiveInterval{0, 2}));
  EXPECT_EQ(right(plan_memory(problem, "greedy_by_size")).peak_bytes, 256);
}

}  // namespace
}  // namespace dovetail
