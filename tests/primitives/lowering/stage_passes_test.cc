// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/stage_passes.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::cpu;
using testing::opencl_with_images;
using testing::print_loops;
using testing::print_values;
using testing::stage_of;

constexpr const char* kPassedProduct = "gmm:b=1,m=6,n=12,k=8";

Stage product(const std::string& loops) { return *applied_loops(loops, stage_of(kPassedProduct)); }

TEST(DropUnitLoops, ReplacesTheirVariablesByZero) {
  const Stage stage = *drop_unit_loops(product("split(loop=m, factor=6)"));
  EXPECT_EQ(print_loops(stage), "m.1:6 n:12 k:8 sum");
  EXPECT_EQ(print_values(stage), "b = 0, k = k, m = m.1, n = n");
  EXPECT_EQ(print(stage.output_indices[0]), "0");
}

TEST(DropUnitLoops, MovesTheTileToTheLoopAround) {
  EXPECT_EQ(drop_unit_loops(product("split(loop=m, factor=2) ; split(loop=n, factor=12)"
                                    " ; cache_write(tensor=Y, at=n.0)"))
                ->cache_write_at,
            "m.1");
  EXPECT_EQ(drop_unit_loops(product("cache_write(tensor=Y, at=b)"))->cache_write_at, "root");
}

TEST(DropUnitLoops, FailsWhenTheLoopOfTheTileWasReplaced) {
  EXPECT_ERROR(drop_unit_loops(product("cache_write(tensor=Y, at=m) ; split(loop=m, factor=2)")),
               "stage gmm: cache_write at loop m, which a later primitive replaced; do it last");
}

TEST(TilePosition, IsBehindTheLoopOfTheTile) {
  EXPECT_EQ(tile_position(product("cache_write(tensor=Y, at=m)")), 2u);
  EXPECT_EQ(tile_position(product("cache_write(tensor=Y, at=root)")), 0u);
}

TEST(TilePosition, IsTheFirstReductionWithoutATile) {
  EXPECT_EQ(tile_position(product("reorder(b, m, k, n)")), 2u);
  EXPECT_EQ(tile_position(stage_of("gmm:m=6,n=12,k=1")), 3u);
}

TEST(Annotations, FailWhenTheVectorizedLoopIsNotInnermost) {
  EXPECT_ERROR(check_annotations(product("vectorize(n)"), cpu()),
               "stage gmm: vectorized loop n is outside loop k, expected the innermost loop; "
               "reorder first");
}

TEST(Annotations, FailWhenTheTileIsOneLane) {
  EXPECT_ERROR(
      check_annotations(product("reorder(b, m, k, n) ; vectorize(n) ; cache_write(tensor=Y, at=n)"),
                        cpu()),
      "stage gmm: cache_write at the vectorized loop n leaves one lane a tile, expected a "
      "loop around it");
}

TEST(Annotations, FailWhenAParallelLoopIsInside) {
  EXPECT_ERROR(check_annotations(*drop_unit_loops(product("parallel(n)")), cpu()),
               "stage gmm: parallel loop n is inside loop m, expected the outermost loop; reorder "
               "or fuse first");
  EXPECT_TRUE(check_annotations(*drop_unit_loops(product("parallel(m)")), cpu()));
}

TEST(Annotations, FailWhenALoopIsBoundOnACpu) {
  EXPECT_ERROR(check_annotations(product("bind(m, group.0)"), cpu()),
               "stage gmm: loop m is bound to a device's axis, expected parallel on a cpu target");
}

TEST(Annotations, FailWhenALoopIsParallelOnOpencl) {
  EXPECT_ERROR(check_annotations(product("parallel(b)"), opencl_with_images()),
               "stage gmm: loop b is parallel, expected bind on an opencl target");
}

TEST(Annotations, FailWhenABoundLoopIsInside) {
  EXPECT_ERROR(check_annotations(product("bind(n, group.0)"), opencl_with_images()),
               "stage gmm: bound loop n is inside an unbound one; reorder first");
  EXPECT_TRUE(check_annotations(product("bind(b, group.1) ; bind(m, group.0) ; bind(n, thread.0)"),
                                opencl_with_images()));
}

TEST(Annotations, FailBeyondTheWorkGroupLimit) {
  Target small = opencl_with_images();
  small.max_work_group_size = 71;
  const Stage stage = product("bind(b, group.0) ; bind(m, thread.1) ; bind(n, thread.0)");
  EXPECT_ERROR(check_annotations(stage, small),
               "stage gmm: 72 work-items in a group, the device's limit is 71");
  small.max_work_group_size = 72;
  EXPECT_TRUE(check_annotations(stage, small));
}

TEST(Annotations, FailBeyondTheLimitOfOneAxis) {
  Target narrow = opencl_with_images();
  narrow.max_work_item_sizes = {256, 256, 5};
  const auto bound_to = [](const std::string& axis) {
    return product("bind(b, group.0) ; bind(m, " + axis + ") ; bind(n, thread.0)");
  };
  EXPECT_ERROR(check_annotations(bound_to("thread.2"), narrow),
               "stage gmm: loop m binds 6 work-items to thread.2, the device's limit there is 5");
  EXPECT_TRUE(check_annotations(bound_to("thread.1"), narrow));
}

TEST(Annotations, FailWhenTooMuchIsUnrolled) {
  const Stage stage = stage_of("gmm:m=128,n=17,k=16");
  EXPECT_TRUE(check_annotations(*applied_loops("unroll(m) ; unroll(k)", stage), cpu()));
  EXPECT_ERROR(check_annotations(*applied_loops("unroll(m) ; unroll(n)", stage), cpu()),
               "stage gmm: unrolls a statement more than 2048 times");
}

TEST(Annotations, FailWhenTheTileIsTooLarge) {
  const char* loops = "cache_write(tensor=Y, at=b)";
  EXPECT_TRUE(check_annotations(*applied_loops(loops, stage_of("gmm:m=64,n=64,k=2")), cpu()));
  EXPECT_ERROR(check_annotations(*applied_loops(loops, stage_of("gmm:m=64,n=65,k=2")), cpu()),
               "stage gmm: register tile of more than 4096 elements");
}

TEST(DropUnitLoops, FailsWhenTheLoopOfAPrefetchWasReplaced) {
  EXPECT_ERROR(
      drop_unit_loops(product("prefetch(tensor=W, at=k, distance=1) ; split(loop=k, factor=2)")),
      "stage gmm: prefetch at loop k, which a later primitive replaced; do it last");
  EXPECT_TRUE(drop_unit_loops(product("prefetch(tensor=W, at=b, distance=1)"))->prefetches.empty());
}

TEST(Annotations, FailForCacheHintsThatNobodyHeeds) {
  EXPECT_ERROR(
      check_annotations(product("prefetch(tensor=W, at=k, distance=1)"), opencl_with_images()),
      "stage gmm: prefetch on an opencl target, expected a cpu target");
  EXPECT_ERROR(check_annotations(product("cache_write(tensor=Y, at=m, stores=streaming)"),
                                 opencl_with_images()),
               "stage gmm: streaming stores on an opencl target, expected a cpu target");
  EXPECT_ERROR(check_annotations(product("reorder(k, n) ; vectorize(n)"
                                         " ; prefetch(tensor=W, at=n, distance=1)"),
                                 cpu()),
               "stage gmm: prefetch at the vectorized loop n, expected one around it");
  const std::string streaming = " ; cache_write(tensor=Y, at=m, stores=streaming)";
  EXPECT_ERROR(
      check_annotations(product("reorder(k, n)" + streaming), cpu()),
      "streaming stores need whole vectors of 16 lanes, found 12 iterations of loop n, not "
      "vectorized");
  EXPECT_ERROR(check_annotations(product("reorder(k, n) ; vectorize(n)" + streaming), cpu()),
               "found 12 iterations of loop n");
  EXPECT_TRUE(check_annotations(product("reorder(k, n) ; vectorize(n)" + streaming), cpu(4, 16)));
  EXPECT_ERROR(
      check_annotations(product("reorder(k, m, n) ; vectorize(n)" + streaming), cpu(4, 16)),
      "streaming stores of partial sums, which loop k outside m reads again");
  const char* at_root = "cache_write(tensor=Y, at=root, stores=streaming)";
  const Stage single = *applied_loops(at_root, stage_of("gmm:m=1,n=1,k=1"));
  EXPECT_ERROR(check_annotations(*drop_unit_loops(single), cpu()),
               "stage gmm: streaming stores need whole vectors of 16 lanes, found no loop");
}

TEST(Annotations, FailWhenThreadsWouldShareATile) {
  EXPECT_ERROR(check_annotations(product("parallel(b) ; cache_write(tensor=Y, at=root)"), cpu()),
               "stage gmm: loop b cannot be shared inside the tile that is accumulated at root");
  EXPECT_ERROR(check_annotations(*drop_unit_loops(product("bind(m, group.0) ; bind(n, thread.0)"
                                                          " ; cache_write(tensor=Y, at=m)")),
                                 opencl_with_images()),
               "stage gmm: loop n cannot be shared inside the tile that is accumulated at m");
}

}  // namespace
}  // namespace dovetail
