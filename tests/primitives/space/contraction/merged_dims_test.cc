// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/merged_dims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::lowered;
using testing::operator_of;
using testing::space_of;

std::string merged(const char* spec, size_t first_dim = 0) {
  std::string text;
  for (const auto& [first, second] : with_merged_dims(define(operator_of(spec)), first_dim).dims)
    text += (text.empty() ? "" : " ") + first + "+" + second;
  return text;
}

TEST(MergedDims, AreThoseThatEveryTensorHasSideBySide) {
  EXPECT_EQ(merged("c2d:ci=4,co=4,h=6,w=8,k=1+add"), "h+w");
  EXPECT_EQ(merged("c3d:ci=4,co=4,depth=2,h=6,w=8,k=1"), "h+w d+h_w");
  EXPECT_EQ(merged("grp:ci=4,co=4,h=6,w=8,k=1,g=2"), "h+w");
  EXPECT_EQ(merged("c2d:ci=4,co=4,h=6,w=8,k=3,p=1"), "");
  EXPECT_EQ(merged("c2d:ci=4,co=4,h=6,w=8,k=1,s=2"), "");
  EXPECT_EQ(merged("gmm:m=8,n=8,k=8"), "");
}

TEST(MergedDims, LeaveThoseBeforeTheFirstAlone) {
  EXPECT_EQ(merged("c3d:ci=4,co=4,depth=2,h=6,w=8,k=1", 2), "h+w d+h_w");
  EXPECT_EQ(merged("c3d:ci=4,co=4,depth=2,h=6,w=8,k=1", 3), "h+w");
}

TEST(FuseInLoops, StoresTensorsAsWithTheDimsApart) {
  Trace trace;
  trace.layouts = {{"Y", {layout::Split{"o", 16}, layout::Reorder{{"n", "o.0", "d_h_w", "o.1"}}}}};
  trace.loops = {{"", {loop::Split{"d_h_w", 6, Tail::cut}}}};
  fuse_in_loops({{"h", "w"}, {"d", "h_w"}}, trace);
  EXPECT_EQ(print(trace),
            "layout Y: split(axis=o, factor=16) reorder(n, o.0, d, h, w, o.1)\n"
            "loops: fuse(h, w) ; fuse(d, h_w) ; split(loop=d_h_w, factor=6, tail=cut)\n");
}

bool has(const Space& space, std::string_view name) {
  return std::ranges::count(space.parameters(), name, &Parameter::name) > 0;
}

TEST(MergedRows, AreOneAxisOfASpace) {
  const Space space = space_of("c2d:ci=16,co=32,h=7,w=7,k=1");
  EXPECT_TRUE(has(space, "register_tile.h_w"));
  for (const char* name : {"register_tile.h", "layout_tile.Y.h_w", "storage.X.h_w"})
    EXPECT_FALSE(has(space, name)) << name;
}

TEST(MergedRows, AreNoneWhereVectorsOrWindowsNeedThemApart) {
  EXPECT_TRUE(has(space_of("c2d:ci=16,co=1,h=8,w=8,k=1"), "register_tile.w"));
  EXPECT_TRUE(has(space_of("c2d:ci=16,co=32,h=8,w=8,k=1x3,p=0x1"), "register_tile.w"));
}

// Loops of a split whose tail was cut cannot be fused: threads share those before them.
TEST(MergedRows, AreRightAlsoWhereThreadsShareFusedLoops) {
  Target two = cpu(8, 16);
  two.name.threads = 2;
  const Operator op = operator_of("c2d:ci=6,co=40,h=5,w=7,k=1+bias+add");
  const Space space = space_of(print(op), two);
  ASSERT_TRUE(has(space, "register_tile.h_w"));
  std::mt19937_64 rng(5);
  int cut = 0;
  for (int draw = 0; draw < 60; ++draw) {
    const Trace trace = space.decode(space.sample(rng));
    cut += print(trace).find("tail=cut") != std::string::npos ? 1 : 0;
    const Result<Program> program = lowered(op, trace, two);
    ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
    EXPECT_TRUE(testing::computes(op, trace, *program)) << print(trace);
  }
  EXPECT_GT(cut, 20);
}

}  // namespace
}  // namespace dovetail
