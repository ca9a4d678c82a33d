// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/program_facts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "costmodel/features/cost_estimate.h"
#include "tests/costmodel/programs.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::kNineSpecs;
using testing::opencl_with_images;
using testing::program_of;
using testing::random_programs;

constexpr const char* kProduct = R"(buffer A: f32 activation A[m=8, k=4] as [m@1:8] [k@1:4]
buffer B: f32 constant B[k=4, n=16] as [k@1:4] [n@1:16]
buffer Y: f32 output Y[m=8, n=16] as [m@1:8] [n@1:16]
kernel gmm
  for m in 0..8
    registers acc[16]
    for n in 0..16 vectorized
      acc[n] = 0
    for k in 0..4
      for n in 0..16 vectorized
        acc[n] += A[m, k] * B[k, n]
    for n in 0..16 vectorized
      Y[m, n] = acc[n]
)";

// The example of cost_estimate.h.
constexpr const char* kTile =
    R"(buffer X: f32 activation X[h=5, w=8, i=4] as [h@1:5] [w@1:8] [i@1:4]
buffer W: f32 constant W[i=4, o=32] as [i@1:4] [o@1:32]
buffer Y: f32 output Y[w=8, o=32] as [w@1:8] [o@1:32]
kernel c
  registers acc[8, 2, 16]
  for w in 0..8 unrolled
    for o.0 in 0..2 unrolled
      for o.1 in 0..16 vectorized
        acc[w, o.0, o.1] = 0
  for h in 0..5
    for i in 0..4 unrolled
      for w in 0..8 unrolled
        for o.0 in 0..2 unrolled
          for o.1 in 0..16 vectorized
            acc[w, o.0, o.1] += X[h, w, i] * W[i, 16*o.0 + o.1]
  for w in 0..8 unrolled
    for o.0 in 0..2 unrolled
      for o.1 in 0..16 vectorized
        Y[w, 16*o.0 + o.1] = acc[w, o.0, o.1]
)";

TEST(ProgramFacts, CountExecutionsAndMultiplyAdds) {
  const Program program = program_of(kProduct);
  const ProgramFacts facts = facts_of(program);
  ASSERT_EQ(facts.statements.size(), 3u);
  const StatementFacts& product = facts.statements[1];
  EXPECT_EQ(heaviest_statement(facts), 1);
  EXPECT_EQ(product.executions, 8 * 4 * 16);
  EXPECT_EQ(product.multiply_adds, 1);
  EXPECT_EQ(product.operations, 0);
  EXPECT_EQ(facts.kernels, 1);
}

TEST(ProgramFacts, StridesAreThoseOfTheStorage) {
  const Program program = program_of(kProduct);
  const ProgramFacts facts = facts_of(program);
  const StatementFacts& product = facts.statements[1];
  ASSERT_EQ(product.loads.size(), 2u);
  EXPECT_EQ(product.loads[0].strides, (std::vector<double>{4, 1, 0}));   // A by m, k, n
  EXPECT_EQ(product.loads[1].strides, (std::vector<double>{0, 16, 1}));  // B
  EXPECT_EQ(product.target.strides, (std::vector<double>{0, 0, 1}));     // acc
}

TEST(ProgramFacts, AFootprintIsTheCacheLinesOfDistinctElements) {
  const Program program = program_of(kProduct);
  const ProgramFacts facts = facts_of(program);
  const LoopFacts& m = facts.loops[0];
  EXPECT_EQ(m.executions, 1);
  EXPECT_EQ(m.iterations, 8);
  EXPECT_EQ(m.body_bytes, 64 + 256 + 64);     // a row of A in a line, all of B, a row of Y
  EXPECT_EQ(m.total_bytes, 128 + 256 + 512);  // all of A, B and Y
  EXPECT_EQ(facts.touched_bytes, 128 + 256 + 512);
}

TEST(ProgramFacts, WindowsOverlapInFootprints) {
  const Program program = program_of(R"(buffer X: f32 activation X[w=34] as [w@1:34]
buffer Y: f32 output Y[w=32] as [w@1:32]
kernel slide
  for w in 0..32
    for k in 0..3
      Y[w] += X[w + k] * 2
)");
  const ProgramFacts facts = facts_of(program);
  const StatementFacts& sum = facts.statements[0];
  AccessRegion region = sum.loads[0].region;
  for (const int loop : sum.loops) {
    close_loop(region, loop, facts.loops[static_cast<size_t>(loop)].iterations);
  }
  EXPECT_EQ(distinct_elements(region), 34);
  EXPECT_EQ(line_bytes(region), 34 * 4);
}

TEST(ProgramFacts, ElementsApartTakeALineEach) {
  const Program program = program_of(R"(buffer X: f32 activation X[m=8, w=64] as [m@1:8] [w@1:64]
buffer Y: f32 output Y[m=8] as [m@1:8]
kernel column
  for m in 0..8
    Y[m] = X[m, 5]
)");
  EXPECT_EQ(facts_of(program).touched_bytes, 8 * 64 + 64);
}

TEST(ProgramFacts, AClippedLoopCountsItsMeanIterations) {
  const Program program = program_of(R"(buffer X: f32 activation X[h=4] as [h@1:4]
buffer Y: f32 output Y[h=4] as [h@1:4]
kernel border
  for h in 0..4
    for kh in 0..3 where 0 <= h + kh - 1 < 4
      Y[h] += X[h + kh - 1] * 3
)");
  const ProgramFacts facts = facts_of(program);
  EXPECT_EQ(facts.loops[1].iterations, 2.5);  // 2, 3, 3 and 2
  EXPECT_EQ(facts.statements[0].executions, 10);
}

// Padding inside partial tiles is done here, and not counted there.
TEST(ProgramFacts, CountTheMultiplyAddsThatMustExecuteAndFewMore) {
  for (const char* spec : {"gmm:m=32,n=48,k=64", "c2d:ci=16,co=32,h=14,w=14,k=1"}) {
    for (const Program& program : random_programs(spec, cpu(), 20)) {
      double multiply_adds = 0;
      const ProgramFacts facts = facts_of(program);
      for (const StatementFacts& statement : facts.statements) {
        multiply_adds += statement.executions * statement.multiply_adds;
      }
      EXPECT_GE(multiply_adds, executed_fmas(program)) << print(program);
      EXPECT_LE(multiply_adds, 1.5 * executed_fmas(program)) << print(program);
    }
  }
}

TEST(ProgramFacts, TouchAtLeastTheBytesThatTheGuardCounts) {
  for (const char* spec : kNineSpecs) {
    for (const Program& program : random_programs(spec, cpu(), 5)) {
      EXPECT_GE(facts_of(program).touched_bytes * 1.01, static_cast<double>(touched_bytes(program)))
          << print(program);
    }
  }
}

TEST(CacheTraffic, ALoopWhoseIterationFitsLoadsWhatItTouchesOnce) {
  const Program program = program_of(kProduct);
  const ProgramFacts facts = facts_of(program);
  EXPECT_EQ(cache_traffic_bytes(facts, 1024), 0);  // 896 bytes fit whole
  EXPECT_EQ(cache_traffic_bytes(facts, 512), 896);
}

TEST(CacheTraffic, ALoopWhoseIterationDoesNotFitLoadsItEachTime) {
  const Program program = program_of(kProduct);
  const ProgramFacts facts = facts_of(program);
  // An iteration of m touches 384 bytes: k needs a line of A and all of B, the store a line of Y.
  EXPECT_EQ(cache_traffic_bytes(facts, 256), 8 * (64 + 256 + 64));
}

TEST(BodyWork, CountsVectorInstructionsOfTheWrittenOutCode) {
  const Program program = program_of(kTile);
  const ProgramFacts facts = facts_of(program);
  const BodyWork body = body_work(facts, facts.statements[1], cpu());
  EXPECT_EQ(body.executions, 5);
  EXPECT_EQ(body.lanes, 16);
  EXPECT_EQ(body.multiply_adds, 64);
  EXPECT_EQ(body.accumulators, 16);
  EXPECT_EQ(body.broadcasts, 32);
  EXPECT_EQ(body.hoisted, 8);  // W does not move with h, and 8 vectors fit beside the tile
  EXPECT_EQ(body.vector_loads, 0);
  EXPECT_EQ(body.stores, 0);
  EXPECT_EQ(body.spills, 0);
}

TEST(BodyWork, NarrowVectorsTakeMoreInstructionsAndRegisters) {
  const Program program = program_of(kTile);
  const ProgramFacts facts = facts_of(program);
  Target narrow = cpu();
  narrow.vector_bytes = 16;
  narrow.vector_registers = 16;
  const BodyWork body = body_work(facts, facts.statements[1], narrow);
  EXPECT_EQ(body.multiply_adds, 256);
  EXPECT_EQ(body.accumulators, 64);
  EXPECT_EQ(body.broadcasts, 32);
  EXPECT_EQ(body.vector_loads, 32);  // no room to keep W
  EXPECT_GT(body.spills, 0);
}

TEST(BodyWork, StoresThatStepOverElementsAreScattered) {
  const Program program = program_of(R"(buffer X: f32 activation X[c=16] as [c@1:16]
buffer Y: f32 output Y[c=16, w=4] as [c@1:16] [w@1:4]
kernel spread
  for w in 0..4
    for c in 0..16 vectorized
      Y[c, w] = X[c]
)");
  const ProgramFacts facts = facts_of(program);
  const BodyWork body = body_work(facts, facts.statements[0], cpu());
  EXPECT_EQ(body.scatters, 16);
  EXPECT_EQ(body.stores, 0);
}

TEST(CostEstimate, IsTheLargestRoofOfTheHeaviestBody) {
  const Program program = program_of(kTile);
  const ProgramFacts facts = facts_of(program);
  const CostEstimate cost = estimate_cost(facts, bodies_of(facts, cpu()), cpu());
  EXPECT_EQ(cost.arithmetic, 5 * 64 / 2.0);
  EXPECT_EQ(cost.chain, 5 * 4 * 64 / 16.0);
  EXPECT_EQ(cost.l1_bytes, 0);  // all of it fits
  EXPECT_GT(cost.seconds, 5 * 64 / 2.0 / 5e9);
}

TEST(CostEstimate, MoreUnitsTakeLessTimeUntilIterationsRunOut) {
  const Program program =
      testing::program_at("c2d:ci=16,co=32,h=14,w=14,k=3,p=1", cpu(), {{"register_tile.o", 16}});
  const auto seconds = [&](int threads) {
    const Target target = cpu(threads);
    const ProgramFacts facts = facts_of(program);
    return estimate_cost(facts, bodies_of(facts, target), target).seconds;
  };
  EXPECT_NEAR(seconds(1) / seconds(2), 2, 1e-9);
  EXPECT_NEAR(seconds(2), seconds(64), 1e-12);  // two tiles of channels are parallel
}

TEST(Spread, WorkGroupsComeInWaves) {
  const Program program = program_of(R"(buffer X: f32 activation X[g=9, t=32] as [g@1:9] [t@1:32]
buffer Y: f32 output Y[g=9, t=32] as [g@1:9] [t@1:32]
kernel copy
  for g in 0..9 bind group.0
    for t in 0..32 bind thread.0
      Y[g, t] = X[g, t]
)");
  const Spread spread = spread_of(facts_of(program), opencl_with_images());
  EXPECT_EQ(spread.groups, 9);
  EXPECT_EQ(spread.threads, 32);
  EXPECT_EQ(spread.units, 8);
  EXPECT_EQ(spread.efficiency, 9.0 / 16);
}

}  // namespace
}  // namespace dovetail
