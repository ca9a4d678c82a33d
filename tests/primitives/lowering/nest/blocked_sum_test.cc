// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/blocked_sum.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::lowered;
using testing::right;
using testing::written_region;

Stage blocked_stage(const std::string& spec, const std::string& loops) {
  const Trace trace = right(parse_trace("loops " + loops), loops);
  return right(apply(trace, written_region(spec), testing::cpu(16, 32)), spec).stages.back();
}

Program program_of(const std::string& spec, const std::string& loops) {
  const Trace trace = right(parse_trace("loops " + loops), loops);
  return right(lowered(written_region(spec), trace, testing::cpu(16, 32)), spec);
}

TEST(BlockedSum, CutsALongLoopNearItsRoot) {
  const Stage stage = with_block_loop(
      blocked_stage("Y[i]+=X[r,i]:i=16,r=12544",
                    "Y: reorder(r, i) ; vectorize(i) ; cache_write(tensor=Y, at=root)"));
  ASSERT_EQ(stage.loops.size(), 3U);
  EXPECT_EQ(stage.loops[0].extent, 112);
  EXPECT_EQ(block_position(stage), 1U);
  EXPECT_EQ(longest_chain(stage), 224);
}

TEST(BlockedSum, TakesTheLoopsThatAreThere) {
  const Stage stage =
      blocked_stage("Y[i]+=X[r,s,i]:i=16,r=30,s=40",
                    "Y: reorder(r, s, i) ; vectorize(i) ; cache_write(tensor=Y, at=root)");
  EXPECT_EQ(with_block_loop(stage), stage);
  EXPECT_EQ(block_position(stage), 1U);
  EXPECT_EQ(longest_chain(stage), 70);
}

// Eight rows of two vectors are more than a block's tile has room beside.
constexpr const char* kManyRows = "Y[m,n]+=X[m,k]*W[k,n]:m=8,n=32,k=1024,const=W";
constexpr const char* kRowsByVectors =
    "custom: split(n, 16) ; reorder(k, m, n.0, n.1) ; unroll(m) ; unroll(n.0) ; vectorize(n.1) ; "
    "cache_write(tensor=Y, at=root)";

TEST(BlockedSum, HasLongBlocksOfProductsWhoseTileFillsTheRegisters) {
  const Stage stage = with_block_loop(blocked_stage(kManyRows, kRowsByVectors));
  EXPECT_EQ(stage.loops[0].extent, 8);
  EXPECT_EQ(block_position(stage), 1U);
  EXPECT_EQ(longest_chain(stage), 128 + 8);
  EXPECT_TRUE(testing::computes(written_region(kManyRows), program_of(kManyRows, kRowsByVectors)));
}

TEST(BlockedSum, CutsNoProductWhereNoBlockIsLongEnough) {
  const std::string spec = "Y[m,n]+=X[m,k]*W[k,n]:m=8,n=32,k=257,const=W";  // a prime
  EXPECT_FALSE(block_position(with_block_loop(blocked_stage(spec, kRowsByVectors))));
  EXPECT_EQ(longest_chain(blocked_stage(spec, kRowsByVectors)), 257);
}

TEST(BlockedSum, CountsRoundsOutsideTheRegistersAsBlocks) {
  const std::string loops =
      "custom: split(k, 64) ; split(n, 16) ; reorder(k.0, k.1, m, n.0, n.1) ; vectorize(n.1) ; "
      "cache_write(tensor=Y, at=k.0)";
  EXPECT_EQ(longest_chain(blocked_stage(kManyRows, loops)), 64 + 16);
}

TEST(BlockedSum, TakesPairsByWholeGroups) {
  const std::string spec = "gmm:m=8,n=32,k=1024";
  const Operator op = testing::operator_of(spec);
  const Trace trace = right(
      parse_trace("algorithm: winograd_inner_product(of=4)\nloops gmm: split(n, 16) ; reorder(k, "
                  "m, n.0, n.1) ; "
                  "unroll(m) ; unroll(n.0) ; vectorize(n.1) ; cache_write(tensor=Y, at=root)"),
      spec);
  const Schedule schedule = right(apply(trace, op, testing::cpu(16, 32)), spec);
  const Stage stage = right(with_summed_loops(schedule.stages.back(), {}), spec);
  ASSERT_TRUE(block_position(stage));
  EXPECT_EQ(stage.loops[1].extent * stage.loops[2].extent, 256) << "groups of four";
  EXPECT_EQ(longest_chain(schedule.stages.back()),
            double(3 * stage.loops[2].extent + stage.loops[1].extent));
}

TEST(BlockedSum, LeavesShortSumsAndMaximaAlone) {
  const std::string loops = "Y: reorder(r, i) ; vectorize(i) ; cache_write(tensor=Y, at=root)";
  EXPECT_FALSE(block_position(with_block_loop(blocked_stage("Y[i]+=X[r,i]:i=16,r=256", loops))));
  EXPECT_EQ(longest_chain(blocked_stage("Y[i]+=X[r,i]:i=16,r=256", loops)), 256);
  EXPECT_FALSE(block_position(with_block_loop(blocked_stage("Y[i]max=X[r,i]:i=16,r=5000", loops))));
  EXPECT_FALSE(
      block_position(with_block_loop(blocked_stage("Y[i]+=X[r,i]:i=16,r=5000,X=i64", loops))));
  EXPECT_EQ(longest_chain(blocked_stage("Y[i]+=X[r,i]:i=16,r=5000", "Y: reorder(r, i)")), 5000)
      << "a sum that is not in registers has no blocks";
}

TEST(BlockedSum, StandsInTheProgram) {
  const std::string spec = "Y[i]+=X[r,i]:i=4,r=1024";
  const Program program =
      program_of(spec, "Y: reorder(r, i) ; vectorize(i) ; cache_write(tensor=Y, at=root)");
  EXPECT_NE(print(program).find("  registers acc[4]\n"
                                "  for i in 0..4 vectorized\n"
                                "    acc[i] = 0\n"
                                "  for r.0 in 0..32\n"
                                "    registers acc.block[4]\n"
                                "    for i in 0..4 vectorized\n"
                                "      acc.block[i] = 0\n"
                                "    for r.1 in 0..32\n"
                                "      for i in 0..4 vectorized\n"
                                "        acc.block[i] += X[32*r.0 + r.1, i]\n"
                                "    for i in 0..4 vectorized\n"
                                "      acc[i] += acc.block[i]\n"),
            std::string::npos)
      << print(program);
}

TEST(BlockedSum, ComputesTheSame) {
  for (const char* spec :
       {"Y[i]+=X[r,i]:i=4,r=1024", "Y[i]+=X[r,i]:i=4,r=1021", "Y[i]+=X[r,i]*X[r,i]:i=4,r=997"})
    EXPECT_TRUE(testing::computes(
        written_region(spec),
        program_of(spec, "Y: reorder(r, i) ; vectorize(i) ; cache_write(tensor=Y, at=root)")))
        << spec;
  EXPECT_TRUE(testing::computes(
      written_region("Y[i]+=X[i,r]:i=3,r=4096"),
      program_of(
          "Y[i]+=X[i,r]:i=3,r=4096",
          "Y: split(r, 8) ; reorder(i, r.0, r.1) ; vectorize(r.1) ; cache_write(tensor=Y, at=i)")));
}

// Sixteen sums a work-item have room beside them, but tensor cores would wait for each block.
TEST(BlockedSum, LeavesSumsOfTensorCoresInOneChain) {
  const KeyedTask task = right(parse_task_spec("gmm:m=64,n=32,k=1024,dtype=f16"));
  const Target target = testing::target_of_profile("h200_ptx.profile");
  const Space space = right(build_space(task, target));
  for (const char* instruction : {"wgmma.", "mma."}) {
    std::mt19937_64 rng(1);
    Trace trace = space.default_trace();
    while (print(trace).find(instruction) == std::string::npos)
      trace = space.decode(space.sample(rng));
    const Stage stage = right(apply(trace, task.region, target), print(trace)).stages.back();
    EXPECT_EQ(with_block_loop(stage), stage);
    EXPECT_EQ(block_position(stage), std::nullopt) << print(trace);
  }
}

}  // namespace
}  // namespace dovetail
