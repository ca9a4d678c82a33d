// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cut_tails.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::right;

constexpr const char* kTwice = "Y[i,j]=X[i,j]*2:i=7,j=37";

Result<Program> twice(const std::string& loops, const Target& target = testing::cpu()) {
  return testing::lowered(testing::written_region(kTwice),
                          right(parse_trace("loops Y: " + loops + "\n")), target);
}

TEST(CutTails, OfVectorsIsANestOfItsOwn) {
  const Program program =
      right(twice("split(loop=j, factor=16, tail=cut) ; split(loop=i, factor=4, tail=cut) ; "
                  "reorder(i.0, j.0, i.1, j.1) ; unroll(i.1) ; vectorize(j.1) ; parallel(i.0)"));
  EXPECT_TRUE(testing::matches_golden(print(program), "primitives/cut_tails"));
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

TEST(CutTails, OfSerialLoopsIsAClippedLoop) {
  const Program program = right(twice("split(loop=j, factor=16, tail=cut) ; reorder(i, j.0, j.1)"));
  EXPECT_NE(print(program).find("for j.1 in 0..16 where 0 <= 16*j.0 + j.1 < 37"), std::string::npos)
      << print(program);
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

TEST(CutTails, OfWorkItemsIsAskedByEach) {
  const Program program =
      right(twice("split(loop=j, factor=16, tail=cut) ; reorder(j.0, j.1, i) ; bind(j.0, group.0) "
                  "; bind(j.1, thread.0)",
                  testing::opencl_with_images()));
  EXPECT_NE(print(program).find("j.1.there"), std::string::npos) << print(program);
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

// Its own end and the index that data choose: the item's loop has two bounds.
TEST(CutTails, OfWorkItemsWithSeveralBoundsAsksOnce) {
  const Region region = testing::written_region("Y[h]=X[clamp(h-2,0,5)]:h=10,X=6");
  const Program program = right(testing::lowered(
      region,
      right(parse_trace("loops Y: split(loop=h, factor=4, tail=cut) ; reorder(h.1, h.0, at0) ; "
                        "bind(h.1, thread.2) ; bind(h.0, thread.1)\n")),
      testing::opencl_with_images()));
  EXPECT_TRUE(testing::computes(region, program)) << print(program);
}

// A kernel has one loop for each thread axis: what is cut short is inside of all of them.
TEST(CutTails, InsideOfLoopsThatAreBound) {
  const auto count = [](const std::string& text, std::string_view what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  for (const char* loops :
       {"split(loop=i, factor=4, tail=cut) ; bind(i.0, thread.2) ; bind(i.1, thread.1)",
        "split(loop=j, factor=16, tail=cut) ; reorder(j.0, i, j.1) ; bind(j.0, group.0) ; "
        "bind(i, thread.0) ; vectorize(j.1)",
        "split(loop=j, factor=16, tail=cut) ; split(loop=j.1, factor=3, tail=cut) ; "
        "reorder(j.0, i, j.1.0, j.1.1) ; bind(j.0, group.0) ; bind(i, thread.0) ; "
        "unroll(j.1.0) ; vectorize(j.1.1)"}) {
    const Program program = right(twice(loops, testing::opencl_with_images()));
    const std::string text = print(program);
    EXPECT_LE(count(text, " thread.0"), 1) << text;
    EXPECT_LE(count(text, " thread.1"), 1) << text;
    EXPECT_LE(count(text, " group.0"), 1) << text;
    EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program)) << text;
  }
}

TEST(CutTails, FailsWhereTheRoundsAreInside) {
  EXPECT_ERROR(twice("split(loop=j, factor=18, tail=cut) ; reorder(j.1, i, j.0) ; unroll(j.0)"),
               "loop j.1: 17 of its rounds are cut short");
}

TEST(CutTails, LoopsWithATailAreNotFused) {
  EXPECT_ERROR(twice("split(loop=j, factor=16, tail=cut) ; reorder(i, j.0, j.1) ; fuse(i, j.0)"),
               "fuse(i, j.0): loop j.0 was cut where its factor does not divide it, fuse before");
  EXPECT_ERROR(twice("split(loop=j, factor=37, tail=cut)"),
               "factor 37 leaves no whole round of loop j with extent 37");
}

}  // namespace
}  // namespace dovetail
