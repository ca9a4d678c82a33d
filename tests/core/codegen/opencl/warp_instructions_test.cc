// SPDX-License-Identifier: Apache-2.0
// Traces that spell a product as instructions of warps, as PTX: the loops on a device without them
// are the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/codegen/llvm/compile_ptx.h"
#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/times_in.h"

namespace dovetail::testing {
namespace {

#ifdef DOVETAIL_HAVE_LLVM

// Two warps of 32 x 32 sums each, 32 channels at a time.
constexpr const char* kByMma =
    "loops: split(loop=a, factor=16) ; split(loop=a.0, factor=2) ; split(loop=b, factor=2) ; "
    "split(loop=b.0, factor=4) ; split(loop=b.0.0, factor=4) ; split(loop=c, factor=16) ; "
    "split(loop=c.0, factor=2) ; "
    "reorder(a.0.0, b.0.0.0, a.1, b.0.1, c.0.0, c.0.1, b.0.0.1, c.1, a.0.1, b.1) ; "
    "bind(a.0.0, group.1) ; bind(b.0.0.0, group.0) ; bind(a.1, thread.1) ; bind(b.0.1, thread.0) ; "
    "unroll(c.0.1) ; unroll(b.0.0.1) ; cache_write(tensor=C, at=b.0.1) ; "
    "cache_read(tensor=A, at=c.0.0, scope=local, pad=8) ; "
    "cache_read(tensor=B, at=c.0.0, scope=local, pad=8) ; tensorize(c.1, mma.m16n8k16_{})\n";

// Two warpgroups of 64 x {1} sums each, 32 channels at a time, as blocks of 8 x 8 in local memory.
// {2}: what follows.
constexpr const char* kByWgmma =
    "layout A: split(axis=b, factor=8) split(axis=c, factor=8) reorder(b.0, c.0, b.1, c.1)\n"
    "layout B: split(axis=a, factor=8) split(axis=c, factor=8) reorder(a.0, c.0, a.1, c.1)\n"
    "loops: split(loop=a, factor=8) ; split(loop=a.0, factor=2) ; split(loop=a.0.0, factor=8) ; "
    "split(loop=b, factor=2) ; split(loop=b.0, factor=4) ; split(loop=b.0.0, factor={1}) ; "
    "split(loop=c, factor=8) ; split(loop=c.0, factor=2) ; split(loop=c.0.0, factor=2) ; "
    "reorder(a.0.0.0, b.0.0.0, a.0.0.1, a.1, b.0.1, c.0.0.0, c.0.0.1, c.0.1, c.1, a.0.1, b.0.0.1, "
    "b.1) ; bind(a.0.0.0, group.1) ; bind(b.0.0.0, group.0) ; bind(a.0.0.1, thread.2) ; "
    "bind(a.1, thread.1) ; bind(b.0.1, thread.0) ; unroll(c.0.0.1) ; "
    "cache_write(tensor=C, at=b.0.1) ; cache_read(tensor=A, at=c.0.0.0, scope=local) ; "
    "cache_read(tensor=B, at=c.0.0.0, scope=local) ; {2}tensorize(c.0.1, wgmma.m64n{3}k16_{0})\n";

Program product(const std::string& type, const std::string& trace, int rows = 64,
                int channels = 96) {
  const std::string spec = fmt::format("Y[m,n]+=X[m,k]*W[n,k]:m={1},n={1},k={2},X={0},W={0},Y=f32",
                                       type, rows, channels);
  const KeyedTask parsed = right(parse_task_spec(spec), spec);
  const Target target = target_of_profile("h200_ptx.profile");
  return right(
      lower(right(apply(right(parse_trace(trace), trace), parsed.region, target), trace), target),
      trace);
}

TEST(WarpInstructions, AreWhatTheTraceTensorizes) {
  const Target target = target_of_profile("h200_ptx.profile");
  for (const char* type : {"f16", "bf16"}) {
    const Program program = product(type, fmt::format(fmt::runtime(kByMma), type));
    const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
    EXPECT_EQ(times_in(code.texts[0], "mma.sync"), 8) << code.texts[0];
    EXPECT_EQ(times_in(code.texts[0], "fma.rn"), 0);
    EXPECT_TRUE(agrees_as_ptx(program, target));
  }
}

TEST(WarpInstructions, OfFourWarpsReadBlocksOfLocalMemory) {
  const Target target = target_of_profile("h200_ptx.profile");
  for (const char* more : {"", "double_buffer(A.cache) ; double_buffer(B.cache) ; "}) {
    const std::string trace = fmt::format(fmt::runtime(kByWgmma), "f16", 16, more, 128);
    const Program program = product("f16", trace, 128, 96);
    const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
    const int rounds = *more == '\0' ? 1 : 2;  // the last one is apart
    EXPECT_EQ(times_in(code.texts[0], "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"),
              2 * rounds);
    EXPECT_EQ(times_in(code.texts[0], "wgmma.fence"), rounds) << code.texts[0];
    EXPECT_EQ(times_in(code.texts[0], "wgmma.wait_group"), rounds);
    EXPECT_EQ(times_in(code.texts[0], "fence.proxy.async"), times_in(code.texts[0], "bar.sync"));
    EXPECT_EQ(times_in(code.texts[0], "fma.rn"), 0);
    EXPECT_TRUE(agrees_as_ptx(program, target));
  }
}

// Six rounds; the products of one are awaited in the round after the next.
TEST(WarpInstructions, OfFourWarpsRunIntoTheNextRound) {
  const Target target = target_of_profile("h200_ptx.profile");
  const std::string trace = fmt::format(
      fmt::runtime(kByWgmma), "f16", 16,
      "double_buffer(A.cache, copies=4, behind=1) ; double_buffer(B.cache, copies=4, behind=1) ; ",
      128);
  const Program program = product("f16", trace, 128, 192);
  const std::string text = print(program);
  EXPECT_EQ(times_in(text, "barrier leaving 1 products 1"), 3) << text;
  const std::string code = right(compile_ptx({&program, 1}, target, "p")).texts[0];
  EXPECT_EQ(times_in(code, "wgmma.wait_group.sync.aligned 1"), 2) << "in both loops over rounds";
  EXPECT_EQ(times_in(code, "wgmma.wait_group.sync.aligned 0"), 1) << "before the sums are stored";
  EXPECT_EQ(times_in(code, "wgmma.commit_group"), 2) << code;
  EXPECT_TRUE(agrees_as_ptx(program, target));
  EXPECT_TRUE(verify(program));
  std::string later = text;
  for (size_t at = 0; (at = later.find("products 1", at)) != std::string::npos; ++at)
    later.replace(at, 10, "products 2");
  EXPECT_ERROR(verify(right(parse_program(later), later)),
               ".cache is read and then stored to without a barrier");
}

TEST(WarpInstructions, OfFourWarpsTakeOtherTypesAndColumns) {
  const Target target = target_of_profile("h200_ptx.profile");
  const Program program =
      product("bf16", fmt::format(fmt::runtime(kByWgmma), "bf16", 32, "", 256), 256, 64);
  const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
  EXPECT_EQ(times_in(code.texts[0], "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"), 2);
  EXPECT_TRUE(agrees_as_ptx(program, target));
}

// Blocks of words are eight rows by four: the default trace of a product in tf32 has them.
TEST(WarpInstructions, OfFourWarpsMultiplyFactorsOfF32) {
  const Target target = target_of_profile("h200_ptx.profile");
  const KeyedTask task = right(parse_task_spec("gmm:m=72,n=64,k=64,math=tf32+bias+relu"));
  const Trace trace = right(build_space(task, target)).default_trace();
  EXPECT_EQ(times_in(print(trace), "layout W: "), 1);
  const Program program = right(lower(right(apply(trace, task.region, target)), target));
  const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
  EXPECT_GT(times_in(code.texts[0], "k8.f32.tf32.tf32 {"), 0) << print(trace);
  EXPECT_EQ(times_in(code.texts[0], "fma.rn"), 0);
  EXPECT_TRUE(agrees_as_ptx(program, target)) << print(trace);
}

// Both parts of a tile are copied, and three pairs of them multiplied.
TEST(WarpInstructions, OfFourWarpsMultiplyPartsOfFactors) {
  const Target target = target_of_profile("h200_ptx.profile");
  for (const char* spec :
       {"gmm:m=72,n=64,k=64,math=tf32x2+bias+relu", "gmm:m=64,n=32,k=96,math=tf32x2,b_const=0"}) {
    const KeyedTask task = right(parse_task_spec(spec));
    const Trace trace = right(build_space(task, target)).default_trace();
    EXPECT_EQ(algorithm_of(trace), "split_factors") << spec;
    EXPECT_EQ(times_in(print(trace), "unroll(part)"), 2) << "each with loops of many work-items";
    const Program program = right(lower(right(apply(trace, task.region, target)), target));
    const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
    EXPECT_EQ(times_in(code.texts[0], "k8.f32.tf32.tf32 {") % 3, 0) << print(trace);
    EXPECT_GT(times_in(code.texts[0], "k8.f32.tf32.tf32 {"), 0);
    EXPECT_EQ(times_in(code.texts[0], "fma.rn"), 0);
    EXPECT_TRUE(agrees_as_ptx(program, target)) << print(trace);
  }
}

TEST(WarpInstructions, OfFourWarpsNameWhatLiesElsewhere) {
  std::string trace = fmt::format(fmt::runtime(kByWgmma), "f16", 16, "", 128);
  const std::string copied = " ; cache_read(tensor=B, at=c.0.0.0, scope=local)";
  trace.erase(trace.find(copied), copied.size());
  const Program program = product("f16", trace, 128, 96);
  EXPECT_ERROR(compile_ptx({&program, 1}, target_of_profile("h200_ptx.profile"), "p"),
               "B lies outside of the group's memory, where wgmma.m64n128k16_f16 reads");
}

// Rows of elements are no blocks.
TEST(WarpInstructions, OfFourWarpsNameTheStrideThatDiffers) {
  std::string trace = fmt::format(fmt::runtime(kByWgmma), "f16", 16, "", 128);
  trace.erase(0, trace.find("loops:"));
  const KeyedTask task =
      right(parse_task_spec("Y[m,n]+=X[m,k]*W[n,k]:m=128,n=128,k=96,X=f16,W=f16,Y=f32"));
  const Target target = target_of_profile("h200_ptx.profile");
  EXPECT_ERROR(lower(right(apply(right(parse_trace(trace)), task.region, target)), target),
               "expected 8, as A has");
}

// As a campaign draws them: tiles, warps, rounds and copies of every kind.
TEST(WarpInstructions, OfRandomPointsAreRight) {
  const Target target = target_of_profile("h200_ptx.profile");
  std::mt19937_64 rng(5);
  for (const char* spec : {"Y[m,n]+=X[m,k]*W[n,k]:m=64,n=64,k=64,X=f16,W=f16",
                           "Y[b,m,n]+=X[b,m,k]*W[b,k,n]:b=2,m=32,n=24,k=48,X=bf16,W=bf16",
                           "c2d:n=8,ci=16,co=24,h=2,w=9,k=3,s=1,p=1,dtype=f16+bias+relu"}) {
    const KeyedTask task = right(parse_task_spec(spec), spec);
    const Space space = right(build_space(task, target), spec);
    for (int checked = 0; checked < 4;) {
      const Trace trace = space.decode(space.sample(rng));
      if (print(trace).find("tensorize") == std::string::npos) continue;
      ++checked;
      const Program program =
          right(lower(right(apply(trace, task.region, target), print(trace)), target));
      const PtxCode code = right(compile_ptx({&program, 1}, target, "p"), print(trace));
      EXPECT_GT(times_in(code.texts[0], "mma"), 0) << print(trace);
      EXPECT_TRUE(agrees_as_ptx(program, target)) << print(trace);
    }
  }
}

TEST(WarpInstructions, AreLoopsWhereTheProcessorHasNone) {
  Target before = target_of_profile("h200_ptx.profile");
  before.llvm_cpu = "sm_75";
  const Program program = product("f16", fmt::format(fmt::runtime(kByMma), "f16"));
  const PtxCode code = right(compile_ptx({&program, 1}, before, "p"));
  EXPECT_EQ(times_in(code.texts[0], "mma.sync"), 0);
  EXPECT_TRUE(agrees_as_ptx(program, before));
  DOVETAIL_REQUIRE_OPENCL();
  EXPECT_DEVICE_AGREES(program);
}

#endif

}  // namespace
}  // namespace dovetail::testing
