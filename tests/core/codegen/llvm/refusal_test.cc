// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "core/codegen/llvm/compile.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

Result<CpuObject> object_of(const std::string& body) {
  return compile_cpu(program_of("buffer x: f32 activation x[i=64, j=64] as [i@1:64] [j@1:64]\n"
                                "buffer y: f32 output y[i=64, j=64] as [i@1:64] [j@1:64]\n"
                                "kernel k\n" +
                                body),
                     host_cpu());
}

TEST(CompileCpuRefuses, LoopsBoundToThreads) {
  EXPECT_ERROR(object_of(" for i in 0..8 bind group.0\n  y[i, 0] = 1\n"),
               "kernel k: loop i is bound to threads; a CPU has none");
}

TEST(CompileCpuRefuses, ParallelLoopsInsideOthers) {
  EXPECT_ERROR(object_of(" for i in 0..8\n  for j in 0..8 parallel\n   y[i, j] = 1\n"),
               "kernel k: loop j is parallel inside another loop; expected outermost");
  EXPECT_ERROR(object_of(" y[0, 0] = 1\n for j in 0..8 parallel\n  y[1, j] = 1\n"),
               "kernel k: loop j is parallel");
}

TEST(CompileCpuRefuses, MoreLanesThanAVectorMayHave) {
  EXPECT_ERROR(object_of(" for i in 0..64\n  for j in 0..65 vectorized\n   y[i, 0] = 1\n"),
               "loop j is vectorized with 65 lanes; expected at most 64");
}

TEST(CompileCpuRefuses, StridesBetweenLanes) {
  EXPECT_ERROR(object_of(" for i in 0..16 vectorized\n  y[i, 0] = 1\n"),
               "y is accessed with lane stride 64; a CPU vector needs 0 or 1");
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, j] = x[0, 3*j]\n"),
               "x is accessed with lane stride 3; a CPU vector needs 0, 1 or 2");
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, j] = (0 <= j < 9) ? x[0, 2*j] : 0\n"),
               "x is read with lane stride 2 under a condition on the lanes; expected none");
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, j] = x[0, j div 3]\n"),
               "kernel k: index (j div 3) differs between the lanes");
}

TEST(CompileCpuRefuses, LanesThatDependOnEachOther) {
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, j + 1] = y[0, j] + 1\n"),
               "lanes of vectorized loop j depend on each other through y");
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, 0] = x[0, j]\n  y[1, j] = y[0, 0]\n"),
               "depend on each other through y");
}

TEST(CompileCpuRefuses, StreamingStoresOfOtherThanWholeAlignedVectors) {
  EXPECT_ERROR(
      object_of(" for j in 0..64\n  y[0, j] = 1 streaming\n"),
      "y is stored to past the caches by 1 lanes aligned to 4 bytes; expected whole vectors");
  EXPECT_ERROR(object_of(" for j in 0..3 vectorized\n  y[0, j] = x[0, j] streaming\n"), "3 lanes");
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  y[0, j + 1] = x[0, j] streaming\n"),
               "16 lanes aligned to 4 bytes");
}

TEST(CompileCpuRefuses, LoopsInsideLanes) {
  EXPECT_ERROR(object_of(" for j in 0..16 vectorized\n  for i in 0..4\n   y[i, j] = 1\n"),
               "loop i is inside a vectorized loop; expected an unrolled one");
}

TEST(CompileCpuRefuses, TilesAndBodiesBeyondReason) {
  EXPECT_ERROR(object_of(" registers acc[1024, 1024]\n y[0, 0] = 1\n"),
               "tile acc has 4194304 bytes; expected at most 262144");
  EXPECT_ERROR(object_of(" local t[4]\n t[0] = 1\n barrier\n y[0, 0] = t[0]\n"),
               "kernel k: tile t is local, which a CPU has not; expected private");
  EXPECT_ERROR(object_of(" barrier\n y[0, 0] = 1\n"),
               "kernel k: has a barrier; a CPU has no work-items");
  EXPECT_ERROR(object_of(" for i in 0..64 unrolled\n  for j in 0..65 unrolled\n   y[0, 0] = 1\n"),
               "kernel k: unrolls to more than 4096 stores");
}

TEST(CompileCpuRefuses, ImagesAndOpenClTargets) {
  const char* text =
      "buffer x: f32 activation x[i=4, c=4] as [i@1:4] [c@1:4] ; scope texture\n"
      "buffer y: f32 output y[i=4] as [i@1:4]\n"
      "kernel k\n for i in 0..4\n  y[i] = x[i, 0]\n";
  EXPECT_ERROR(compile_cpu(program_of(text), host_cpu()),
               "buffer x has scope texture; a CPU has only global");
  Target opencl = host_cpu();
  opencl.name.backend = "opencl";
  opencl.execution = ExecutionModel::work_groups;
  EXPECT_ERROR(compile_cpu(program_of(text), opencl), "the target is an OpenCL device");
}

TEST(CompileCpuRefuses, NamesThatNothingDeclares) {
  EXPECT_ERROR(object_of(" for i in 0..4\n  y[i, 0] = w[i]\n"),
               "kernel k: w is no buffer and no tile");
  EXPECT_ERROR(object_of(" for i in 0..4\n  y[i, k] = 1\n"),
               "index variable k is no loop around its use");
  EXPECT_ERROR(object_of(" for i in 0..4\n  y[i] = 1\n"), "y has 2 axes, found 1 indices");
}

}  // namespace
}  // namespace dovetail::testing
