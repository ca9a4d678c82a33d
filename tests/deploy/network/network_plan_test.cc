// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_plan.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "tests/deploy/network/network_run.h"
#include "tests/deploy/network/random_network.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

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
  EXPECT_EQ(bytes_in(plan, NetworkMemory::workspace), 256);
  EXPECT_EQ(plan.lower_bound_bytes, 256);
  EXPECT_EQ(plan.places[3].offset, plan.places[5].offset) << "t and v";
  EXPECT_NE(plan.places[3].offset, plan.places[4].offset);
}

TEST(NetworkPlan, PutsConstantsInTheOrderOfUse) {
  const NetworkPlan plan = right(plan_network(chain()));
  EXPECT_EQ(plan.places[2], (ArenaPlace{1, 0})) << "k0 is used first";
  EXPECT_EQ(plan.places[1], (ArenaPlace{1, 64}));
  EXPECT_EQ(bytes_in(plan, NetworkMemory::constants), 128);
  EXPECT_EQ(bytes_in(plan, NetworkMemory::boundary), 256);
}

// Each call prepares a weight of its own, once.
TEST(NetworkPlan, SharesBytesOfRawWeightsOfDifferentCalls) {
  const NetworkPlan plan = right(plan_network(right(parse_network(R"(network prepared
program 0
buffer A: f32 activation A[a=32] as [a@1:32]
buffer C: f32 constant C[a=32] as [a@1:32]
buffer C.made: f32 prepared C.made[a=32] as [a@1:32]
buffer B: f32 output B[a=32] as [a@1:32]
kernel prepare prepares
  for a in 0..32
    C.made[a] = 2 * C[a]
kernel step
  for a in 0..32
    B[a] = A[a] + C.made[a]
storage
buffer x: f32 activation x[a=32] as [a@1:32]
buffer k0: f32 constant k0[a=32] as [a@1:32]
buffer k1: f32 constant k1[a=32] as [a@1:32]
buffer m0: f32 prepared m0[a=32] as [a@1:32]
buffer m1: f32 prepared m1[a=32] as [a@1:32]
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
  EXPECT_EQ(plan.places[1], (ArenaPlace{2, 0}));
  EXPECT_EQ(plan.places[2], (ArenaPlace{2, 0}));
  EXPECT_EQ(bytes_in(plan, NetworkMemory::preparation), 128);
  EXPECT_EQ(bytes_in(plan, NetworkMemory::constants), 256);
}

TEST(NetworkPlan, StatesAProblemThatPlannersTake) {
  const PlanningProblem problem = workspace_problem(chain());
  ASSERT_EQ(problem.buffers.size(), 3u);
  EXPECT_EQ(problem.buffers[0].id, "t");
  EXPECT_EQ(problem.buffers[0].lifetime, (LiveInterval{0, 2}));
  EXPECT_EQ(problem.times, (TimeAxis{.name = "kernel", .end = 4}));
  EXPECT_EQ(right(plan_memory(problem, "greedy_by_size")).peak_bytes, 256);
}

TEST(NetworkPlan, ListsArenasInTheOrderOfPreference) {
  const NetworkPlan plan = right(plan_network(
      chain(),
      {.workspace = {right(parse_network_pool("sram:size=128,align=4096")), network_pool("dram")},
       .constants = {right(parse_network_pool("itcm:size=64,access=ro")), network_pool("flash")}}));
  using enum NetworkMemory;
  const std::vector<NetworkArena> expected = {
      {.name = "sram", .use = workspace, .bytes = 128, .alignment = 4096, .lower_bound_bytes = 128},
      {.name = "dram", .use = workspace, .bytes = 128, .lower_bound_bytes = 128},
      {.name = "itcm", .use = constants, .bytes = 64, .lower_bound_bytes = 64},
      {.name = "flash", .use = constants, .bytes = 64, .lower_bound_bytes = 64},
      {.name = "preparation", .use = preparation},
      {.name = "boundary", .use = boundary, .bytes = 256, .lower_bound_bytes = 256}};
  EXPECT_EQ(plan.arenas, expected);
  EXPECT_EQ(plan.lower_bound_bytes, 256) << "of both pools together";
  EXPECT_EQ(plan.places[2], (ArenaPlace{2, 0})) << "k0 is used first";
  EXPECT_EQ(plan.places[1], (ArenaPlace{3, 0}));
  EXPECT_EQ(kept_bytes(plan), 384);
}

// The next pool that was given, and no other: the third one stays empty.
TEST(NetworkPlan, FallsBackToTheNextPoolOnly) {
  const NetworkPlan plan = right(plan_network(
      chain(), {.workspace = {right(parse_network_pool("a:size=128")),
                              right(parse_network_pool("b:size=128")), network_pool("c")}}));
  EXPECT_EQ(plan.arenas[0].bytes, 128);
  EXPECT_EQ(plan.arenas[1].bytes, 128);
  EXPECT_EQ(plan.arenas[2].bytes, 0);
}

TEST(NetworkPlan, PutsInputsAndOutputsInTheWorkspaceWhileTheyAreAlive) {
  const NetworkPlan plan = right(plan_network(chain(), {.boundary = NetworkBoundary::inside}));
  EXPECT_EQ(bytes_in(plan, NetworkMemory::workspace), 256) << "x dies before u, y is made after t";
  EXPECT_EQ(bytes_in(plan, NetworkMemory::boundary), 0);
  EXPECT_EQ(plan.arenas.size(), 3u);
  EXPECT_EQ(use_of(plan, 0), NetworkMemory::workspace);
  const PlanningProblem problem = workspace_problem(chain(), {.boundary = NetworkBoundary::inside});
  ASSERT_EQ(problem.buffers.size(), 5u);
  EXPECT_EQ(problem.buffers[0].lifetime, (LiveInterval{0, 1})) << "x";
  EXPECT_EQ(problem.buffers[4].lifetime, (LiveInterval{3, 4})) << "y";
}

// A caller that fills all inputs may not lose one under another that nobody reads.
TEST(NetworkPlan, KeepsAnInputThatNobodyReadsApartFromOthers) {
  NetworkProgram network = chain();
  NetworkBuffer unread = network.buffers[0];
  unread.buffer.name = unread.buffer.tensor = "unread";
  unread.tensors = {"unread"};
  network.buffers.push_back(unread);
  const NetworkPlan plan = right(plan_network(network, {.boundary = NetworkBoundary::inside}));
  EXPECT_NE(plan.places[0].offset, plan.places[7].offset);
}

TEST(NetworkPlan, RefusesPoolsThatKernelsCannotUse) {
  const auto plan_with = [](std::vector<Pool> workspace, std::vector<Pool> constants) {
    return plan_network(chain(),
                        {.workspace = std::move(workspace), .constants = std::move(constants)});
  };
  const std::vector<Pool> rom = {network_pool("rom")};
  EXPECT_ERROR(plan_with({right(parse_network_pool("flash:access=ro"))}, rom),
               "pool flash is read-only, and temporaries are written; expected access rw");
  EXPECT_ERROR(plan_with({right(parse_network_pool("sram:align=32"))}, rom),
               "pool sram: alignment 32 found; expected a power of two of 64 or more");
  EXPECT_ERROR(plan_with({network_pool("sram")}, {right(parse_network_pool("rom:align=96"))}),
               "pool rom: alignment 96 found");
  EXPECT_ERROR(plan_with({}, rom), "no pool for temporaries given");
  EXPECT_ERROR(plan_with({network_pool("sram")}, {}), "no pool for constants given");
  EXPECT_ERROR(plan_with({network_pool("rom")}, rom), "pool rom is there twice");
  EXPECT_ERROR(plan_with({network_pool("boundary")}, rom), "pool boundary is there twice");
  EXPECT_ERROR(plan_with({network_pool("a b")}, rom), "pool 'a b': expected a name without blanks");
}

TEST(NetworkPlan, NamesTensorsWherePoolsAreTooSmall) {
  const auto small = [](std::string_view pool) {
    return std::vector<Pool>{right(parse_network_pool(pool))};
  };
  for (const std::string& algorithm : builtin_planners().names())
    EXPECT_ERROR(
        plan_network(chain(), {.algorithm = algorithm, .workspace = small("sram:size=200")}),
        "pool sram of 200 bytes is too small: at kernel 1 of 4, 256 bytes are alive, 56 too many: "
        "t 128, u 128");
  EXPECT_ERROR(
      plan_network(chain(), {.workspace = {small("sram:size=64")[0], small("dram:size=64")[0]}}),
      "pools sram of 64 bytes, dram of 64 bytes are too small together: at kernel 1 of 4");
  EXPECT_ERROR(plan_network(chain(), {.constants = small("rom:size=100")}),
               "pool rom of 100 bytes is too small: at kernel 0 of 4, 128 bytes are alive, "
               "28 too many: k0 64, k1 64");
}

// Runs that follow one another may share a workspace: the larger one holds either.
TEST(NetworkPlan, LetsTwoNetworksUseOneWorkspace) {
  const NetworkPlanOptions inside{.boundary = NetworkBoundary::inside};
  const NetworkProgram networks[] = {random_network(1), random_network(2)};
  const NetworkPlan plans[] = {right(plan_network(networks[0], inside)),
                               right(plan_network(networks[1], inside))};
  const int64_t shared = std::max(bytes_in(plans[0], NetworkMemory::workspace),
                                  bytes_in(plans[1], NetworkMemory::workspace));
  EXPECT_NE(plans[0].arenas[0].bytes, plans[1].arenas[0].bytes) << "of two sizes";
  std::vector<MemoryOwners> memory = owners_of(plans[0]);
  memory[0].resize(static_cast<size_t>(shared / kBufferAlignment));
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<MemoryOwners> other = owners_of(plans[turn % 2]);
    other[0] = memory[0];  // what the last run left there
    EXPECT_EQ(run_owners(networks[turn % 2], plans[turn % 2], other), "") << "turn " << turn;
    memory[0] = other[0];
  }
}

NetworkPlanOptions drawn_options() {
  const auto pool = [](std::string name, bool limited) {
    return Pool{.name = std::move(name),
                .limit_bytes = limited ? *rc::gen::inRange<int64_t>(0, 20'000) : kUnlimitedBytes,
                .alignment = *rc::gen::element<int64_t>(64, 64, 128, 4096)};
  };
  return {.algorithm = *rc::gen::elementOf(builtin_planners().names()),
          .most_nodes = 2000,
          .workspace = {pool("w0", true), pool("w1", true), pool("w2", false)},
          .constants = {pool("c0", true), pool("c1", false)},
          .boundary = *rc::gen::element(NetworkBoundary::apart, NetworkBoundary::inside)};
}

// Kernels run in order over memory that remembers who wrote it last.
RC_GTEST_PROP(NetworkPlan, NeverLetsTwoLiveBuffersShareBytes, ()) {
  const NetworkProgram network = random_network(*rc::gen::inRange<uint64_t>(0, 1 << 20));
  const NetworkPlanOptions options = drawn_options();
  const NetworkPlan plan = right(plan_network(network, options));
  std::vector<MemoryOwners> memory = owners_of(plan);
  RC_ASSERT(run_owners(network, plan, memory) == "");
  for (size_t b = 0; b < plan.places.size(); ++b)
    RC_ASSERT(plan.places[b].offset % plan.arenas[plan.places[b].arena].alignment == 0);
  for (size_t p = 0; p < 3; ++p)
    RC_ASSERT(plan.arenas[p].bytes <= options.workspace[p].limit_bytes);
  RC_ASSERT(plan.arenas[3].bytes <= options.constants[0].limit_bytes);
  for (const NetworkArena& arena : plan.arenas) RC_ASSERT(arena.lower_bound_bytes <= arena.bytes);
  RC_ASSERT(plan == right(plan_network(network, options)));
}

// Inside they are free wherever a plan of everything else leaves room, and never cost more than an
// arena of their own.
RC_GTEST_PROP(NetworkPlan, NeverTakesMoreInsideThanApart, ()) {
  const NetworkProgram network = random_network(*rc::gen::inRange<uint64_t>(0, 1 << 20));
  const NetworkPlan apart = right(plan_network(network));
  const NetworkPlan inside = right(plan_network(network, {.boundary = NetworkBoundary::inside}));
  const int64_t bytes = bytes_in(inside, NetworkMemory::workspace);
  RC_ASSERT(bytes >= bytes_in(apart, NetworkMemory::workspace));
  RC_ASSERT(bytes <=
            bytes_in(apart, NetworkMemory::workspace) + bytes_in(apart, NetworkMemory::boundary));
  RC_ASSERT(bytes == inside.lower_bound_bytes);
}

TEST(NetworkPlan, RunsRightWhereverBuffersLie) {
  const Partition parts = parts_of(kTwoConvolutions);
  const Target target = cpu_here();
  const LoweredNetwork lowered = right(lowered_network(parts, target, default_traces(target)));
  const int64_t half = bytes_in(right(plan_network(lowered.program)), NetworkMemory::workspace) / 2;
  for (const NetworkBoundary boundary : {NetworkBoundary::apart, NetworkBoundary::inside})
    for (const int64_t limit : {kUnlimitedBytes, half}) {
      const NetworkPlanOptions options{
          .workspace = {{.name = "sram", .limit_bytes = limit, .alignment = 256},
                        network_pool("dram")},
          .constants = {right(parse_network_pool("itcm:size=4096")), network_pool("flash")},
          .boundary = boundary};
      EXPECT_TRUE(runs_right(parts, lowered, StoreConstants::all, options)) << limit;
      EXPECT_TRUE(runs_right(parts, lowered, StoreConstants::call_by_call, options)) << limit;
    }
}

}  // namespace
}  // namespace dovetail::testing
