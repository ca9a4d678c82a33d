// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/kernel_use.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/default_rule/group_tile.h"
#include "primitives/space/direct/direct.h"
#include "primitives/space/space.h"
#include "tests/costmodel/programs.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::kNineSpecs;
using testing::program_of;
using testing::random_programs;
using testing::right;

Target h200() {
  Target target = testing::opencl_with_images();
  target.compute_units = 132;
  target.max_work_group_size = 1024;
  target.local_memory_bytes = 48 << 10;
  target.vector_registers = 63;
  target.lockstep_work_items = 32;
  target.unit_registers = 65536;
  target.unit_work_items = 2048;
  target.unit_local_bytes = 228 << 10;
  return target;
}

// A product of 96 x 64 by 64 x 256, with 6 rows by 2 vectors of columns for a work-item.
constexpr const char* kProductInGroups =
    R"(buffer X: f32 activation X[m=96, k=64] as [m@1:96] [k@1:64]
buffer W: f32 constant W[k=64, n=256] as [k@1:64] [n@1:256]
buffer Y: f32 output Y[m=96, n=256] as [m@1:96] [n@1:256]
kernel gmm
  for r in 0..4 bind group.1
    for c in 0..2 bind group.0
      for s in 0..4 bind thread.1
        for d in 0..16 bind thread.0
          registers a[6, 2, 4]
          for t in 0..6 unrolled
            for e in 0..2 unrolled
              for f in 0..4 vectorized
                a[t, e, f] = 0
          for k in 0..8
            for i in 0..8 unrolled
              for t in 0..6 unrolled
                for e in 0..2 unrolled
                  for f in 0..4 vectorized
                    a[t, e, f] += X[24*r + 6*s + t, 8*k + i] * W[8*k + i, 128*c + 8*d + 4*e + f]
          for t in 0..6 unrolled
            for e in 0..2 unrolled
              for f in 0..4 vectorized
                Y[24*r + 6*s + t, 128*c + 8*d + 4*e + f] = a[t, e, f]
)";

TEST(KernelUse, OfAProductByHand) {
  const std::vector<KernelUse> uses = kernel_uses(program_of(kProductInGroups), h200());
  ASSERT_EQ(uses.size(), 1u);
  const KernelUse& use = uses.front();
  EXPECT_EQ(use.kernel, "gmm");
  EXPECT_EQ(use.work_groups, (WorkGroups{.groups = 8, .work_items = 64, .local_bytes = 0}));
  // 48 sums, 6 rows as vectors of 4, 2 vectors of columns twice, and 40
  EXPECT_EQ(use.registers, 48 + 24 + 16 + 40);
  ASSERT_TRUE(use.residency);
  EXPECT_EQ(use.residency->groups, 8) << "65536 / (128 * 64)";
  EXPECT_EQ(use.residency->limit, ResidentLimit::registers);
  EXPECT_EQ(use.residency->occupancy, 8 * 64 / 2048.0);
  EXPECT_EQ(use.residency->waves, 8 / (132 * 8.0));
  EXPECT_EQ(use.multiply_adds, 96 * 64 * 256);
  EXPECT_EQ(use.bytes, 4 * (96 * 64 + 64 * 256 + 96 * 256));
  EXPECT_EQ(use.intensity(), 2.0 * 96 * 64 * 256 / (4 * (96 * 64 + 64 * 256 + 96 * 256)));
}

// A wide load has four rows of a step then, and not four steps of a row.
TEST(KernelUse, OfRowsSideBySide) {
  std::string text = kProductInGroups;
  const auto replace = [&](const std::string& before, const std::string& after) {
    text.replace(text.find(before), before.size(), after);
  };
  replace("X[m=96, k=64] as [m@1:96] [k@1:64]", "X[m=96, k=64] as [k@1:64] [m@1:96]");
  replace("X[24*r + 6*s + t, 8*k + i]", "X[8*k + i, 24*r + 6*s + t]");
  EXPECT_EQ(kernel_uses(program_of(text), h200()).front().registers, 48 + 6 + 16 + 40);
}

TEST(KernelUse, KnowsNoResidencyWhereTheTargetStatesNoRoom) {
  const std::vector<KernelUse> uses =
      kernel_uses(program_of(kProductInGroups), testing::opencl_with_images());
  EXPECT_FALSE(uses.front().residency);
  EXPECT_EQ(uses.front().registers, 128);
}

TEST(KernelUse, IsOfEachKernelButThoseThatPrepare) {
  const Program program = program_of(R"(buffer W: f32 constant W[n=64] as [n@1:64]
buffer V: f32 prepared V[n=64] as [n@1:64]
buffer T: f32 temporary T[n=64] as [n@1:64]
buffer Y: f32 output Y[n=64] as [n@1:64]
kernel double prepares
  for n in 0..64
    V[n] = W[n] + W[n]
kernel first
  for n.0 in 0..2 bind group.0
    for n.1 in 0..32 bind thread.0
      T[32*n.0 + n.1] = V[32*n.0 + n.1]
kernel second
  for n in 0..64 bind group.0
    Y[n] = T[n]
)");
  const std::vector<KernelUse> uses = kernel_uses(program, h200());
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].kernel, "first");
  EXPECT_EQ(uses[0].work_groups, (WorkGroups{.groups = 2, .work_items = 32, .local_bytes = 0}));
  EXPECT_EQ(uses[0].residency->groups, 32);
  EXPECT_EQ(uses[0].residency->limit, ResidentLimit::groups);
  EXPECT_FALSE(uses[0].intensity()) << "it only moves data";
  EXPECT_EQ(uses[1].work_groups.groups, 64);
}

// The rule estimated the registers of its tile before there was a nest.
TEST(KernelUse, EstimatesTheRegistersThatTheDefaultRuleDoes) {
  const Target target = h200();
  int compared = 0;
  for (const char* spec : {"gmm:m=1024,n=1024,k=1024", "c2d:ci=64,co=64,h=56,w=56,k=1",
                           "c2d:ci=64,co=64,h=56,w=56,k=3,p=1",
                           "c1d:ci=64,co=128,w=256,k=3,s=2,p=1", "gmm:m=64,n=64,k=64"}) {
    const Region region = right(parse_region(spec));
    const ContractionPlan plan = right(direct_plan(region, target, RowAxes::apart));
    const ProductTraits traits(plan, target);
    const GroupTile tile = best_group_tile(traits);
    if (tile.rounds_ahead == 1) continue;  // it counts what is loaded ahead, too
    ++compared;
    const double lanes = 4, vectors = static_cast<double>(tile.vectors);
    const double rows = static_cast<double>(tile.accumulators()) / vectors;
    const double expected = estimated_registers({.kept = lanes * rows * vectors,
                                                 .rows = tile.reduction_first ? rows / lanes : rows,
                                                 .vectors = vectors},
                                                lanes);
    double most = 0;
    for (const KernelUse& use : kernel_uses(testing::program_at(spec, target), target))
      most = std::max(most, use.registers);
    EXPECT_EQ(most, expected) << spec;
  }
  EXPECT_GE(compared, 3);
}

// Any point of a space: resident groups fit their unit, and waves count all groups.
// wgmma's operands are in local memory: 128 sums and 48 elements of the next round's copies count,
// and what is loaded for these, not the 320 elements that the instruction multiplies.
// Nor what asynchronous copies move. The compiler takes 168.
TEST(KernelUse, CountsNoOperandsOfAnInstruction) {
  const Target target = testing::target_of_profile("h200_ptx.profile");
  const char* spec = "Y[m,n]+=X[m,k]*W[n,k]:m=4096,n=4096,k=4096,X=f16,W=f16";
  const Region region = right(parse_region(spec), spec);
  const Trace trace = right(build_space(region, target), spec).default_trace();
  const Program program =
      right(lower(right(apply(trace, region, target), print(trace)), target), print(trace));
  const std::vector<KernelUse> uses = kernel_uses(program, target);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_NEAR(uses[0].registers, 168, 16);
  ASSERT_TRUE(uses[0].residency);
  EXPECT_EQ(uses[0].residency->groups, 1);
}

TEST(KernelUse, FitsItsUnit) {
  const Target target = h200();
  for (const char* spec : kNineSpecs)
    for (const Program& program : random_programs(spec, target, 10))
      for (const KernelUse& use : kernel_uses(program, target)) {
        ASSERT_TRUE(use.residency) << spec;
        const Residency& residency = *use.residency;
        const WorkGroups& groups = use.work_groups;
        EXPECT_GE(use.registers, 40) << spec;
        EXPECT_GE(residency.groups, 1) << spec;
        EXPECT_LE(residency.groups, 32) << spec;
        EXPECT_LE(residency.occupancy, 1) << spec;
        EXPECT_LE(residency.groups * static_cast<double>(groups.local_bytes), 228 << 10) << spec;
        EXPECT_DOUBLE_EQ(residency.waves * 132 * residency.groups,
                         static_cast<double>(groups.groups))
            << spec;
      }
}

}  // namespace
}  // namespace dovetail
